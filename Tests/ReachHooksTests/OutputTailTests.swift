import Synchronization
import Testing

@testable import ReachHooks

@Suite struct OutputTailTests {
    @Test func `short output is kept completely`() {
        let tail = OutputTail(capacity: 16, ["hello ", "", "world"])
        #expect(tail.text == "hello world")
        #expect(tail.droppedBytes == 0)
    }

    @Test func `output of exactly the capacity is kept completely`() {
        let tail = OutputTail(capacity: 4, ["ab", "cd"])
        #expect(tail.text == "abcd")
        #expect(tail.droppedBytes == 0)
    }

    @Test func `the end of long output is kept, and dropped bytes are counted`() {
        let tail = OutputTail(capacity: 4, ["abcdefghij", "k", "lmn"])
        #expect(tail.text == "klmn")
        #expect(tail.droppedBytes == 10)
    }

    @Test(arguments: [1, 3, 7, 64, 1_000])
    func `the size of the chunks does not matter`(size: Int) {
        let text = (0..<500).map { "line \($0)\n" }.joined()
        let bytes = Array(text.utf8)
        var tail = OutputTail(capacity: 100)
        for start in stride(from: 0, to: bytes.count, by: size) {
            tail.append(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(tail.text == String(text.suffix(100)))
        #expect(tail.droppedBytes == bytes.count - 100)
    }

    @Test(arguments: ["é", "€", "😀"])
    func `a partial character at the beginning is left out`(character: String) {
        let width = character.utf8.count
        for kept in 1..<width {
            let tail = OutputTail(capacity: kept + 3, ["before", character, "end"])
            #expect(tail.text == "end")
            #expect(tail.droppedBytes == 6 + width)
        }
        #expect(OutputTail(capacity: width + 3, ["before", character, "end"]).text == character + "end")
    }

    @Test func `invalid UTF-8 is replaced`() {
        var tail = OutputTail(capacity: 8)
        tail.append([0x61, 0xFF, 0x62])
        #expect(tail.text == "a\u{FFFD}b")
    }

    @Test func `a character may be split across chunks`() {
        var tail = OutputTail(capacity: 8)
        tail.append([0xC3])
        tail.append([0xA9])
        #expect(tail.text == "é")
    }
}

extension OutputTail {
    fileprivate init(capacity: Int, _ chunks: [String]) {
        self.init(capacity: capacity)
        for chunk in chunks { append(chunk.utf8) }
    }
}

/// Output after the command has ended, from a background process that holds the pipe.
@Suite struct OutputFloodTests {
    private static let chunkSize = 65_536

    /// Returns the number of chunks read if the leader ends after `count` of `available` chunks.
    private func chunksRead(of available: Int, endingAfter count: Int) async -> Int {
        let read = Mutex(0)
        let (source, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        for _ in 0..<available { continuation.yield([UInt8](repeating: 120, count: Self.chunkSize)) }
        continuation.finish()
        _ = await Job.collect(
            source,
            hasLeaderEnded: {
                read.withLock {
                    $0 += 1
                    return $0 > count
                }
            }
        )
        return read.withLock(\.self)
    }

    @Test func `after the end, at most the size of a pipe is read`() async {
        let limit = Job.largestPipe / Self.chunkSize
        #expect(await chunksRead(of: 10 * limit, endingAfter: 5) == 5 + limit + 1)
    }

    @Test func `before the end, all output is read`() async {
        let limit = Job.largestPipe / Self.chunkSize
        #expect(await chunksRead(of: 4 * limit, endingAfter: 4 * limit) == 4 * limit)
    }
}
