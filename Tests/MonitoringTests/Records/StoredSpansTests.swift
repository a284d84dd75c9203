import TestSupport
import Testing

@testable import Monitoring

@Suite struct StoredSpansTests {
    private let run = ProgramRun(id: 1, from: .seconds(1_000), until: .seconds(2_000))

    private func up(at time: Int) -> HistoryEvent {
        HistoryEvent(.transition, at: .seconds(time), from: .unknown, to: .up, since: .seconds(time))
    }

    @Test func `an event of the program counts for all targets, also for one whose first event is later`() {
        var spans = StoredSpans(of: run)
        spans.add(up(at: 1_100), of: 7)
        spans.add(HistoryEvent(.stalled, at: .seconds(1_300), length: .seconds(100)), of: nil)
        spans.add(up(at: 1_400), of: 8)
        #expect(
            spans.byTarget == [
                7: [
                    WatchedSpan(.unknown, from: .seconds(1_000), until: .seconds(1_100)),
                    WatchedSpan(.up, from: .seconds(1_100), until: .seconds(1_200)),
                    WatchedSpan(.unwatched, from: .seconds(1_200), until: .seconds(1_300)),
                    WatchedSpan(.up, from: .seconds(1_300), until: .seconds(2_000)),
                ],
                8: [
                    WatchedSpan(.unknown, from: .seconds(1_000), until: .seconds(1_200)),
                    WatchedSpan(.unwatched, from: .seconds(1_200), until: .seconds(1_300)),
                    WatchedSpan(.unknown, from: .seconds(1_300), until: .seconds(1_400)),
                    WatchedSpan(.up, from: .seconds(1_400), until: .seconds(2_000)),
                ],
            ]
        )
    }

    @Test func `a run without an event of a target has no spans`() {
        var spans = StoredSpans(of: run)
        spans.add(HistoryEvent(.clock, at: .seconds(1_300), length: .seconds(100)), of: nil)
        #expect(spans.byTarget.isEmpty)
    }
}
