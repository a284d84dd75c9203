import Foundation
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct LineWriterTests {
    private let pipe = Pipe()

    private func makeWriter(capacity: Int = 1_000_000) -> LineWriter {
        signal(SIGPIPE, SIG_IGN)
        let buffer = LineBuffer(capacity: [.event: capacity, .observation: capacity])
        return LineWriter(pipe.fileHandleForWriting.fileDescriptor, buffer: buffer)
    }

    @Test func `lines for a stalled reader are dropped whole and counted`() async throws {
        let writer = makeWriter(capacity: 200_000)
        let probe = String(repeating: "p", count: 199)
        for _ in 1...5_000 { writer.enqueue(probe, as: .observation) }
        writer.enqueue("down")
        let dropCounts = try #require(writer.nextDropReport())
        // The pipe holds 64 KiB, the writer has drained at most the capacity, and as much waits in the buffer.
        #expect(dropCounts.events == 0 && dropCounts.observations >= 5_000 - 2 * 1_000 - 330)
        #expect(dropCounts.observations < 5_000)

        // A stalled reader does not delay the flush.
        let start = ContinuousClock.now
        let unwritten = await writer.flush()
        #expect(unwritten > 0 && ContinuousClock.now - start < .seconds(2))

        let reader = pipe.fileHandleForReading
        async let rest = writer.flush()
        var text = ""
        while !text.hasSuffix("down\n") { text += String(decoding: reader.availableData, as: UTF8.self) }
        #expect(await rest == 0)
        let lines = text.split(separator: "\n")
        #expect(lines.dropLast().allSatisfy { $0 == probe } && lines.count == 5_001 - dropCounts.observations)
    }

    @Test func `a line that is longer than the pipe is written completely`() async {
        let writer = makeWriter()
        let long = String(repeating: "x", count: 200_000)
        writer.enqueue("one")
        writer.enqueue(long)
        writer.enqueue("two")
        let reader = pipe.fileHandleForReading
        var text = ""
        while !text.hasSuffix("two\n") { text += String(decoding: reader.availableData, as: UTF8.self) }
        #expect(text == "one\n\(long)\ntwo\n")
    }

    @Test func `all lines are written to a nonblocking stream`() async {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let writer = makeWriter()
        let line = String(repeating: "y", count: 999)
        for _ in 1...500 { writer.enqueue(line) }
        var count = 0
        while count < 500_000 { count += pipe.fileHandleForReading.availableData.count }
        #expect(count == 500_000)
        #expect(await writer.flush() == 0)
    }

    @Test func `the exit of the reader is reported at the next write, or at once if the reader is watched`() async {
        let (watching, other) = (makeWriter(), makeWriter())
        watching.watchReader()
        try? pipe.fileHandleForReading.close()
        var failures = watching.failures.makeAsyncIterator()
        #expect(await failures.next() == EPIPE)
        other.enqueue("one")
        failures = other.failures.makeAsyncIterator()
        #expect(await failures.next() == EPIPE)
        #expect(await other.flush() == 0)
    }
}
