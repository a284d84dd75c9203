import Testing

@testable import reach

@Suite struct LineBufferTests {
    private var buffer = LineBuffer(capacity: [.event: 10, .observation: 20])

    /// Appends lines; returns for each whether to start the writer.
    private mutating func append(_ lines: String..., as kind: LineBuffer.Kind = .event) -> [Bool] {
        lines.map { buffer.append($0, as: kind) }
    }

    private mutating func drain() -> String? {
        buffer.drain().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test mutating func `one writer drains all lines at once, in order`() {
        let starts = append("one", as: .observation) + append("two") + append("three", as: .observation)
        #expect(starts == [true, false, false])
        let first = drain()
        #expect(first == "one\ntwo\nthree\n")
        // The writer runs until it finds no lines.
        let (later, second, end) = (append("four"), drain(), drain())
        #expect(later == [false] && second == "four\n" && end == nil)
        let again = append("five")
        #expect(again == [true])
    }

    @Test mutating func `a cork keeps all lines back until the last one is removed`() {
        let starts = append("one")
        let (first, second) = (buffer.cork(), buffer.cork())
        let later = append("two")
        #expect(starts == [true] && later == [false])
        let held = drain()
        #expect(held == nil)
        let (one, again, both) = (buffer.uncork(first), buffer.uncork(first), buffer.uncork(second))
        #expect([one, again, both] == [false, false, true])
        let text = drain()
        #expect(text == "one\ntwo\n")
        let end = drain()
        #expect(end == nil)
    }

    @Test mutating func `after a cork has expired, lines wait no more until one is removed in time`() {
        let slow = buffer.cork()
        _ = append("one")
        let expired = buffer.uncork(slow, isExpired: true)
        let text = drain()
        #expect(expired && text == "one\n")
        let (end, next) = (drain(), buffer.cork())
        let starts = append("two")
        #expect(end == nil && starts == [true])
        _ = (buffer.uncork(next), drain(), drain(), buffer.cork())
        let held = append("three")
        #expect(held == [false])
    }

    @Test mutating func `observations do not displace events, and dropped lines are counted`() {
        _ = append("probe", "probe", "probe", "probe", "probe", as: .observation)
        _ = append("up", "down", "up")
        let (text, dropCounts, none) = (drain(), buffer.nextDropReport(), buffer.nextDropReport())
        #expect(text == "probe\nprobe\nprobe\nup\ndown\n")
        #expect(dropCounts == LineBuffer.DropCounts(events: 1, observations: 2) && none == nil)
        #expect(dropCounts?.description == "1 event and 2 observations")
        // Drained lines have freed capacity.
        _ = append("probe", as: .observation)
        let (more, fewer) = (drain(), buffer.nextDropReport())
        #expect(more == "probe\n" && fewer == nil)
    }

    @Test mutating func `dropped lines are reported at once, then every ten seconds, and at the end`() {
        var reported: [Int?] = []
        let times: [Duration?] = [.seconds(1), .seconds(2), .seconds(10), .seconds(11), .seconds(12), nil]
        for time in times {
            _ = append("longer than the capacity")
            reported.append(buffer.nextDropReport(at: time)?.events)
        }
        #expect(reported == [1, nil, nil, 3, nil, 2])
    }

    @Test mutating func `a closed buffer discards all lines`() {
        _ = append("one")
        buffer.close()
        let (starts, text, dropCounts) = (append("two"), drain(), buffer.nextDropReport())
        #expect(starts == [false] && text == nil && buffer.count == 0 && dropCounts == nil)
    }
}
