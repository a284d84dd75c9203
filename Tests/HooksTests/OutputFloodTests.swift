import Synchronization
import Testing

@testable import Hooks

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
