import TestSupport
import Testing

@testable import Monitoring

/// When reports that a cooldown defers become due.
@Suite struct DeferredReportTests {
    private var tracker = HookTracker()

    private func conditions(at now: Duration) -> HookConditions {
        HookConditions(now: now, isFlapping: false, isInMaintenance: false, isAcknowledged: false)
    }

    private func state(_ health: Health) -> HookTracker.ReportedState {
        .init(health: health, address: nil, flappingShare: 0)
    }

    /// Records a transition at a second; the previous health began ten seconds earlier.
    private mutating func change(to health: Health, at second: Int, _ rule: HookRule) -> [HookTracker.Decision] {
        tracker.decide(on: transition(to: health, at: second), among: [rule], under: conditions(at: .seconds(second)))
    }

    private func transition(to health: Health, at second: Int) -> Transition {
        Transition(
            from: health == .down ? .up : .down,
            to: health,
            time: .seconds(second),
            lasted: .seconds(10),
            cause: .replies(1)
        )
    }

    private func nextReport(_ health: Health, _ rule: HookRule) -> Duration? {
        tracker.nextReport(of: state(health), among: [rule], under: conditions(at: .zero))
    }

    private mutating func due(_ health: Health, at now: Duration, _ rule: HookRule) -> [HookTracker.Decision] {
        tracker.decideDue(state(health), among: [rule], under: conditions(at: now))
    }

    @Test mutating func `a deferred report is due exactly when the cooldown ends`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        let down = transition(to: .down, at: 100)
        let up = transition(to: .up, at: 110)
        #expect(change(to: .down, at: 100, rule) == [.fire(rule, .change, .transition(down))])
        #expect(change(to: .up, at: 110, rule) == [.skip(rule, .coolingDown(left: .seconds(50)))])
        #expect(nextReport(.up, rule) == .seconds(160))
        #expect(due(.up, at: .seconds(160) - .nanoseconds(1), rule) == [])
        #expect(due(.up, at: .seconds(160), rule) == [.fire(rule, .change, .transition(up))])
        #expect(!tracker.hasDeferredReports)
    }

    @Test mutating func `a deferred report is dropped when the health is again the reported one`() {
        let rule = HookRule.make(on: [.up, .down], cooldown: .seconds(60))
        _ = change(to: .down, at: 100, rule)
        _ = change(to: .up, at: 110, rule)
        _ = change(to: .down, at: 120, rule)
        #expect(tracker.hasDeferredReports)
        _ = change(to: .up, at: 130, rule)
        #expect(!tracker.hasDeferredReports)
    }

    @Test mutating func `a report counts from what was reported if an earlier run was dropped`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        _ = change(to: .down, at: 100, rule)
        _ = change(to: .up, at: 110, rule)
        let run = HookContext(
            event: .change,
            trigger: .transition(transition(to: .down, at: 100)),
            at: .seconds(100),
            name: "NAS",
            question: Target.make("NAS").question,
            health: .down,
            since: .seconds(90)
        )
        tracker.revoke(.change, of: rule, on: run)
        #expect(due(.up, at: .seconds(111), rule) == [])
        #expect(!tracker.hasDeferredReports)
    }

    @Test mutating func `the report of an outage with a slow recovery has the length of the outage`() {
        let rule = HookRule.make(on: [.change], cooldown: .seconds(60))
        _ = change(to: .down, at: 100, rule)
        for (from, to, second) in [(Health.down, Health.degraded, 130), (.degraded, .up, 140)] {
            let next = Transition(
                from: from,
                to: to,
                time: .seconds(second),
                lasted: .seconds(second == 130 ? 30 : 10),
                cause: .replies(1)
            )
            _ = tracker.decide(on: next, among: [rule], under: conditions(at: .seconds(second)))
        }
        guard case .fire(_, .change, .transition(let reported))? = due(.up, at: .seconds(160), rule).first else {
            Issue.record("no report")
            return
        }
        #expect(reported.from == .down && reported.to == .up && reported.outage == .seconds(30))
    }
}
