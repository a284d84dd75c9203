import TestSupport
import Testing

@testable import Monitoring

/// When reports that a cooldown defers become due.
@Suite struct DeferredReportTests {
    private var tracker = HookTracker()

    /// Records a transition at a second; the previous health began ten seconds earlier.
    private mutating func change(to health: Health, at second: Int, _ rule: HookRule) -> [HookTracker.Decision] {
        let transition = Transition(
            from: health == .down ? .up : .down,
            to: health,
            time: .seconds(second),
            lasted: .seconds(10),
            cause: .replies(1)
        )
        tracker.record(transition)
        return tracker.decide(on: transition, among: [rule])
    }

    @Test mutating func `a deferred report is due exactly when the cooldown ends`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        #expect(change(to: .down, at: 100, rule) == [.fire(rule, .change)])
        #expect(change(to: .up, at: 110, rule) == [.skip(rule, .coolingDown(left: .seconds(50)))])
        #expect(tracker.nextReport(of: .up, among: [rule]) == .seconds(160))
        #expect(tracker.removeDueReports(of: .up, at: .seconds(160) - .nanoseconds(1), among: [rule]) == [])
        #expect(tracker.removeDueReports(of: .up, at: .seconds(160), among: [rule]).map(\.event) == [.change])
        #expect(!tracker.hasDeferredReports)
    }

    @Test mutating func `a deferred report is dropped when the health is again the reported one`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        _ = change(to: .down, at: 100, rule)
        _ = change(to: .up, at: 110, rule)
        _ = change(to: .down, at: 120, rule)
        #expect(tracker.hasDeferredReports)
        #expect(tracker.removeDueReports(of: .down, at: .seconds(121), among: [rule]) == [])
        #expect(!tracker.hasDeferredReports)
    }

    @Test mutating func `after flapping only revoked runs are deferred`() {
        let rule = HookRule.make(on: [.down, .up], minDown: .seconds(60))
        #expect(change(to: .down, at: 100, rule) == [.fire(rule, .down)])
        let short = Transition(
            from: .down,
            to: .up,
            time: .seconds(110),
            lasted: .seconds(10),
            cause: .replies(1)
        )
        tracker.deferRevoked(short)
        #expect(tracker.removeDueReports(of: .up, at: .seconds(110), among: [rule]) == [])
        #expect(!tracker.hasDeferredReports)
    }
}
