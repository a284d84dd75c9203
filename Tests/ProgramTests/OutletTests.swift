import Foundation
import Testing

@testable import reach

@Suite struct OutletTests {
    private let pipe = Pipe()

    private func outlet(room: Int = 1_000_000) -> Outlet {
        signal(SIGPIPE, SIG_IGN)
        let buffer = LineBuffer(room: [.event: room, .observation: room])
        return Outlet(pipe.fileHandleForWriting.fileDescriptor, buffer: buffer)
    }

    @Test func `a reader that stalls costs what there is room for, whole lines, and counts`() async throws {
        let outlet = outlet(room: 200_000)
        let probe = String(repeating: "p", count: 199)
        for _ in 1...5_000 { outlet.put(probe, as: .observation) }
        outlet.put("down")
        let losses = try #require(outlet.takeLosses())
        // The pipe has room for 64 KiB, the writer has taken no more than there is room for, and as much waits.
        #expect(losses.events == 0 && losses.observations >= 5_000 - 2 * 1_000 - 330)
        #expect(losses.observations < 5_000)

        // Nobody waits for who does not read.
        let start = ContinuousClock.now
        let left = await outlet.flush()
        #expect(left > 0 && ContinuousClock.now - start < .seconds(2))

        let reader = pipe.fileHandleForReading
        async let rest = outlet.flush()
        var text = ""
        while !text.hasSuffix("down\n") { text += String(decoding: reader.availableData, as: UTF8.self) }
        #expect(await rest == 0)
        let lines = text.split(separator: "\n")
        #expect(lines.dropLast().allSatisfy { $0 == probe } && lines.count == 5_001 - losses.observations)
    }

    @Test func `a line that is longer than a pipe takes at once goes out whole`() async {
        let outlet = outlet()
        let long = String(repeating: "x", count: 200_000)
        outlet.put("one")
        outlet.put(long)
        outlet.put("two")
        let reader = pipe.fileHandleForReading
        var text = ""
        while !text.hasSuffix("two\n") { text += String(decoding: reader.availableData, as: UTF8.self) }
        #expect(text == "one\n\(long)\ntwo\n")
    }

    @Test func `a stream that does not wait is waited for all the same`() async {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let outlet = outlet()
        let line = String(repeating: "y", count: 999)
        for _ in 1...500 { outlet.put(line) }
        var count = 0
        while count < 500_000 { count += pipe.fileHandleForReading.availableData.count }
        #expect(count == 500_000)
        #expect(await outlet.flush() == 0)
    }

    @Test func `that nobody reads any more is told once there is something to write, and before if it is wanted`() async
    {
        let (wanting, other) = (outlet(), outlet())
        wanting.watchReader()
        try? pipe.fileHandleForReading.close()
        var endings = wanting.endings.makeAsyncIterator()
        #expect(await endings.next() == EPIPE)
        other.put("one")
        endings = other.endings.makeAsyncIterator()
        #expect(await endings.next() == EPIPE)
        #expect(await other.flush() == 0)
    }
}
