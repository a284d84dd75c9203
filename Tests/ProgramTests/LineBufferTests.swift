import Testing

@testable import reach

@Suite struct LineBufferTests {
    private var buffer = LineBuffer(room: [.event: 10, .observation: 20])

    /// Puts lines in; returns for each whether the writer was to be started.
    private mutating func put(_ lines: String..., as rank: LineBuffer.Rank = .event) -> [Bool] {
        lines.map { buffer.put($0, as: rank) }
    }

    private mutating func take() -> String? {
        buffer.take().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test mutating func `lines are taken in their order, all at once, by one writer`() {
        let starts = put("one", as: .observation) + put("two") + put("three", as: .observation)
        #expect(starts == [true, false, false])
        let first = take()
        #expect(first == "one\ntwo\nthree\n")
        // The writer is at work until it has found nothing.
        let (later, second, end) = (put("four"), take(), take())
        #expect(later == [false] && second == "four\n" && end == nil)
        let again = put("five")
        #expect(again == [true])
    }

    @Test mutating func `observations leave room for events, and what is dropped is whole and counted`() {
        _ = put("probe", "probe", "probe", "probe", "probe", as: .observation)
        _ = put("up", "down", "up")
        let (text, losses, none) = (take(), buffer.takeLosses(), buffer.takeLosses())
        #expect(text == "probe\nprobe\nprobe\nup\ndown\n")
        #expect(losses == LineBuffer.Losses(events: 1, observations: 2) && none == nil)
        #expect(losses?.description == "1 event and 2 observations")
        // What was taken has made room.
        _ = put("probe", as: .observation)
        let (more, fewer) = (take(), buffer.takeLosses())
        #expect(more == "probe\n" && fewer == nil)
    }

    @Test mutating func `losses are told at once, then every ten seconds, and at the end`() {
        var told: [Int?] = []
        let times: [Duration?] = [.seconds(1), .seconds(2), .seconds(10), .seconds(11), .seconds(12), nil]
        for time in times {
            _ = put("more than there is room for")
            told.append(buffer.takeLosses(at: time)?.events)
        }
        #expect(told == [1, nil, nil, 3, nil, 2])
    }

    @Test mutating func `closed, it takes and keeps nothing`() {
        _ = put("one")
        buffer.close()
        let (starts, text, losses) = (put("two"), take(), buffer.takeLosses())
        #expect(starts == [false] && text == nil && buffer.count == 0 && losses == nil)
    }
}
