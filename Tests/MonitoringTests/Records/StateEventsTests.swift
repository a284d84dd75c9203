@testable import Monitoring
import Testing

struct StateEventsTests {
    private let nas = Target.ID(1)

    private func kinds(_ events: [HistoryEvent]) -> [HistoryEvent.Kind] {
        var states = StateEvents()
        states.apply(events.map { TargetEvent(nas, $0) })
        return states.all.map(\.event.kind)
    }

    @Test func `only events of the present state are kept, in order`() {
        let up = HistoryEvent(.transition, at: .seconds(1), to: .up)
        let down = HistoryEvent(.transition, at: .seconds(3), to: .down)
        let event = { (kind: HistoryEvent.Kind) in HistoryEvent(kind, at: .seconds(2)) }
        #expect(kinds([up, event(.maintenance), down]) == [.maintenance, .transition])
        #expect(kinds([up, event(.hook), event(.address), event(.blocked)]) == [.transition, .blocked])
        #expect(kinds([up, event(.blocked), down]) == [.transition])
        #expect(kinds([up, event(.blocked), event(.unblocked)]) == [.transition])
        #expect(kinds([up, event(.paused)]) == [.transition, .paused])
        #expect(kinds([event(.maintenance), up, event(.paused), event(.resumed)]) == [.maintenance, .transition])
        #expect(kinds([event(.maintenance), event(.maintenanceEnded)]) == [])
        #expect(kinds([event(.added), up]) == [.added, .transition])
        #expect(kinds([event(.added), up, event(.removed)]) == [])
    }

    @Test func `after the clock was set, the times are those of the new clock`() {
        var states = StateEvents()
        let down = HistoryEvent(.transition, at: .seconds(9_003), to: .down, since: .seconds(9_001))
        states.apply([TargetEvent(nas, down)])
        states.apply([TargetEvent(nil, HistoryEvent(.clock, at: .seconds(5_500), length: .seconds(-3_600)))])
        #expect(states.all.map(\.event.time) == [.seconds(5_403)])
        #expect(states.all.map(\.event.since) == [.seconds(5_401)])
    }
}
