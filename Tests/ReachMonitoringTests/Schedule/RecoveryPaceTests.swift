import TestSupport
import Testing

@testable import ReachMonitoring

/// The pace of probes of targets that are down, of one and of thousands.
struct RecoveryPaceTests {
    @Test func `additional probes are halved until their sum fits, and no further`() {
        var budget = RecoveryBudget()
        let additions = [1_000_000_000, 1, 500_000_000, 3_500_000_000]
        let steps = additions.map { addition in
            let isSlower = budget.add(addition)
            return "\(isSlower) \(budget.halvings)"
        }
        #expect(steps == ["false 0", "true 1", "false 1", "true 3"], "a sum at the limit is not above it")
    }

    @Test func `the rates rise only when a quarter of the limit is free`() {
        var budget = RecoveryBudget()
        _ = budget.add(1_001_000_000)
        #expect(budget.halvings == 1)
        budget.remove(250_999_999)
        #expect(budget.halvings == 1, "just above 750")
        budget.remove(1)
        #expect(budget.halvings == 0)
        #expect(budget.demand == 750_000_000)
    }

    @Test(arguments: [100, 1_111, 1_112, 9_000])
    func `at most a thousand probes a second are added for targets that are down`(count: Int) throws {
        let targets = (0..<count).map { Target.make("\($0)", url: "http://192.0.2.5", interval: .seconds(10)) }
        var story = Story(targets)
        var intervals: [Target.ID: Duration] = [:]
        func record(_ consequences: Consequences) {
            for case .pace(let id, let interval, _) in consequences.requests { intervals[id] = interval }
        }
        for _ in 1...3 {
            story.wait(.seconds(1))
            for state in story.roster.states {
                record(story.roster.record([observation(.timeout, of: state, at: story.now)]))
            }
        }
        #expect(story.roster.states.healthCounts.down == count)
        #expect(intervals.count == count)
        let added = intervals.values.reduce(0.0) { $0 + 1 / ($1 / .seconds(1)) - 0.1 }
        #expect(added <= 1_000.1)
        #expect(added >= min(500, Double(count) * 0.9 - 0.1), "the budget is used")
        #expect(Set(intervals.values).count == 1, "all targets have the same interval")
        #expect(intervals.values.allSatisfy { $0 <= .seconds(10) })

        for state in story.roster.states.dropFirst(10) {
            record(story.roster.record([observation(.reply(roundTrip: .zero), of: state, at: story.now)]))
        }
        for state in story.roster.states.prefix(10) {
            record(story.roster.record([observation(.timeout, of: state, at: story.now)]))
        }
        let last = story.roster.states.prefix(10).map { intervals[$0.id] }
        #expect(last.allSatisfy { $0 == .seconds(1) }, "the remaining targets use the whole budget")
    }

    private func observation(_ outcome: Outcome, of state: TargetState, at time: Duration) -> Finding {
        .observation(Observation(target: state.id, sequence: 1, time: time, outcome: outcome, address: nil))
    }

    @Test func `a paused, blocked or removed target frees its additional probes`() throws {
        let targets = [Target.make("Switch"), Target.make("NAS", interval: .seconds(2))]
        var story = Story(targets)
        story.hear("r", from: "Switch")
        story.hear("rttt")
        let rate = targets[1].additionalRate
        #expect(rate == 500_000)
        #expect(story.roster.recovery.demand == rate)
        story.take(story.roster.pause([try #require(story["NAS"]).id], at: story.now))
        #expect(story.roster.recovery.demand == 0)
        story.take(story.roster.resume([try #require(story["NAS"]).id], at: story.now))
        story.hear("ttt")
        #expect(story.roster.recovery.demand == rate)

        var child = targets[1]
        child.dependsOn = [.target("Switch")]
        story.take(story.roster.apply(Settings(targets: [targets[0], child]), at: story.now))
        #expect(story.roster.recovery.demand == rate)
        story.hear("ttt", from: "Switch")
        #expect(story["NAS"]?.isProbed == false)
        #expect(story.roster.recovery.demand == targets[0].additionalRate)

        story.take(story.roster.apply(Settings(targets: [targets[0]]), at: story.now))
        #expect(story.roster.recovery.demand == targets[0].additionalRate)
    }

    @Test func `the defaults are a second or the interval, and a command keeps its interval`() {
        func interval(_ question: Question, _ interval: Duration? = nil) -> Duration {
            Target(name: "NAS", question: question, interval: interval).downInterval
        }
        #expect(interval(.tls(host: "192.0.2.5", port: 443)) == .seconds(1))
        #expect(interval(.session(host: "192.0.2.5", port: 22)) == .seconds(1))
        #expect(interval(.tcp(host: "192.0.2.5", port: 22), .milliseconds(200)) == .milliseconds(200))
        #expect(Target(name: "", question: .exec(.shell("true"))).downInterval == .seconds(10))
    }

    @Test func `a long timeout allows at most eight probes in flight`() {
        var target = Target.make(url: "http://192.0.2.5", interval: .seconds(60))
        target.timeout = .seconds(60)
        #expect(target.recoveryInterval == .seconds(7.5))
        target.timeout = .seconds(5)
        #expect(target.recoveryInterval == .seconds(1))
        target.interval = .milliseconds(250)
        target.downInterval = .milliseconds(250)
        #expect(target.recoveryInterval == .milliseconds(250), "never longer than the interval")
    }
}

struct BackoffTests {
    @Test func `the limit doubles with each try, up to the cap`() {
        var (backoff, generator) = (Backoff(), Constant.high)
        let pauses = (0..<9).map { _ in backoff.pause(using: &generator) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
        #expect(backoff.tries == 9)
    }

    @Test func `a pause is between zero and the limit`() {
        var (backoff, generator) = (Backoff(), Constant.low)
        for _ in 0..<9 {
            let pause = backoff.pause(using: &generator)
            #expect(pause >= .zero && pause < .milliseconds(10))
        }
    }

    @Test func `a success resets the pauses`() {
        var (backoff, generator) = (Backoff(base: .seconds(1), cap: .seconds(3)), Constant.high)
        for _ in 0..<5 { _ = backoff.pause(using: &generator) }
        backoff.reset()
        #expect((0..<3).map { _ in backoff.pause(using: &generator) } == [1, 2, 3].map { Duration.seconds($0) })
    }

    @Test func `the limit does not overflow`() {
        var (backoff, generator) = (Backoff(), Constant.high)
        for _ in 0..<1_000 { _ = backoff.pause(using: &generator) }
        #expect(backoff.limit == .seconds(30))
    }
}
