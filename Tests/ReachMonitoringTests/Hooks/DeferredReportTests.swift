import TestSupport
import Testing

@testable import ReachMonitoring

/// When reports that a cooldown defers become due.
@Suite struct DeferredReportTests {
    private var tracker = HookTracker()

    private func conditions(at now: Duration) -> HookConditions {
        HookConditions(
            now: now,
            isFlapping: false,
            isInMaintenance: false,
            isAcknowledged: false,
            mayBeExplained: false
        )
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

    /// Decides at each of these changes of health: the health before, the health after, and the second.
    private mutating func decide(_ rule: HookRule, isFlapping: Bool = false, _ changes: (Health, Health, Int)...)
        -> [HookTracker.Decision]
    {
        changes.flatMap { from, to, second in
            let time = Duration.seconds(second)
            return tracker.decide(
                on: Transition(from: from, to: to, time: time, lasted: .seconds(10), cause: .replies(1)),
                among: [rule],
                under: HookConditions(
                    now: time,
                    isFlapping: isFlapping,
                    isInMaintenance: false,
                    isAcknowledged: false,
                    mayBeExplained: false
                )
            )
        }
    }

    @Test mutating func `an outage goes on over faults until its first reply`() {
        let rule = HookRule.make(on: [.up], minDown: .seconds(30))
        let short = HookDrop.tooShort(outage: .seconds(15), minDown: .seconds(30))
        #expect(decide(rule, (.up, .down, 100), (.down, .unknown, 110), (.unknown, .up, 115)) == [.skip(rule, short)])
        let long = decide(rule, (.up, .down, 200), (.down, .unknown, 210), (.unknown, .down, 235), (.down, .up, 240))
        guard case .fire(rule, .up, _)? = long.first, long.count == 1 else {
            Issue.record("\(long)")
            return
        }
    }

    @Test mutating func `an outage does not grow while the report of its end waits`() {
        let rule = HookRule.make(on: [.up, .down], minDown: .seconds(30))
        #expect(decide(rule, (.up, .down, 100)).count == 1)
        let waiting = decide(
            rule,
            isFlapping: true,
            (.down, .degraded, 110),
            (.degraded, .up, 120),
            (.up, .degraded, 200),
            (.degraded, .up, 210)
        )
        #expect(waiting == [])
        let short = HookDrop.tooShort(outage: .seconds(10), minDown: .seconds(30))
        #expect(due(.up, at: .seconds(220), rule) == [.skip(rule, short)])
    }

    @Test mutating func `a report from before the start counts for one recovery, also if that is not reported`() {
        let rule = HookRule.make(on: [.up, .degraded, .down], within: .seconds(4), cooldown: .seconds(200))
        tracker.restore(rule, on: .down, at: .seconds(-5), isSuccess: true, now: .zero)
        let expired = HookDrop.expired(within: .seconds(4))
        #expect(decide(rule, (.unknown, .down, 11), (.down, .up, 100)) == [.skip(rule, expired)])
        let later = decide(rule, (.up, .unknown, 120), (.unknown, .degraded, 130))
        guard case .fire(rule, .degraded, _)? = later.first else {
            Issue.record("\(later)")
            return
        }
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

extension DeferredReportTests {
    @Test mutating func `the deferred report of a recovery after faults has the length of the outage`() {
        let rule = HookRule.make(on: [.change])
        #expect(decide(rule, (.up, .down, 100)).count == 1)
        #expect(decide(rule, isFlapping: true, (.down, .unknown, 110), (.unknown, .up, 150)) == [])
        guard case .fire(_, .change, .transition(let reported))? = due(.up, at: .seconds(160), rule).first else {
            Issue.record("no report")
            return
        }
        #expect(reported.from == .down && reported.outage == .seconds(50))
    }
}

/// `cooldown` and `once` of hook rules over a restart of the program.
@Suite struct RestoredHookTests {
    private let wall = WallTime(start: .seconds(1_800_000_000))

    /// A roster at its start, after a run of `command` that fired for `down` some time before.
    private func story(
        of rule: HookRule,
        after command: String,
        _ age: Duration,
        isSuccess: Bool = true
    ) throws -> Story {
        var story = Story(.make(hooks: [rule]))
        let id = try #require(story["NAS"]?.id)
        let action = HookAction.shell(command)
        let time = wall.start - age
        story.roster.restore([.init(action, of: id, on: .down, at: time, isSuccess: isSuccess)], wall: wall, at: .zero)
        return story
    }

    @Test(arguments: [
        (Duration.seconds(120), 0),
        (.seconds(594), 0),
        (.seconds(596), 1),
        // The wall clock was set back.
        (.seconds(-3_600), 0),
    ])
    func `a cooldown goes on`(age: Duration, runs: Int) throws {
        // The verdict comes 4 s after the start.
        var story = try story(of: .make(on: [.down], "page", cooldown: .seconds(600)), after: "page", age)
        story.hear("r ttt")
        #expect(story.runs.count == runs)
    }

    @Test func `a cooldown of another command does not count`() throws {
        var story = try story(of: .make(on: [.down], "page", cooldown: .seconds(600)), after: "page -v", .seconds(9))
        story.hear("r ttt")
        #expect(story.runNames == ["NAS: down"])
    }

    @Test func `a cooldown counts for its event only`() throws {
        let rule = HookRule.make(on: [.down, .up], "page", cooldown: .seconds(600))
        var story = try story(of: rule, after: "page", .seconds(9))
        story.hear("r ttt r")
        #expect(story.runNames == ["NAS: up"])
    }

    @Test(arguments: [(true, 0), (false, 1)]) func `once is over after a success`(isSuccess: Bool, runs: Int) throws {
        let rule = HookRule.make(on: [.down], "page", isOnce: true)
        var story = try story(of: rule, after: "page", .seconds(1_000_000), isSuccess: isSuccess)
        story.hear("r ttt")
        #expect(story.runs.count == runs)
    }

    @Test(arguments: [
        HookResult.Status.exited(1), .signalled(9), .timedOut, .cancelled, .notStarted("no shell"),
        .answered(status: 200), .unanswered(Failure(.refused)),
    ])
    func `the action of a stored run is found again`(status: HookResult.Status) {
        let detail = "page \(HookResult(status: status, duration: .seconds(1)).summary)"
        #expect(HookAction.isAction("page", of: detail))
        #expect(!HookAction.isAction("pag", of: detail))
        #expect(!HookAction.isAction("page", of: "page me exited 0 in 1.0s"))
    }
}
