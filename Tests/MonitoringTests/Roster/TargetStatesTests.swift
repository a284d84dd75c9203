import Monitoring
import TestSupport
import Testing

@Suite struct TargetStatesTests {
    @Test func `counts and summaries always equal those of the states`() {
        var random = SplitMix(seed: 11)
        var roster = Roster()
        let targets = (0..<24).map { number in
            Target.make(
                "T\(number)",
                dependsOn: number % 6 == 5 ? [.target("T\(number - 1)")] : [],
                slow: .milliseconds(5)
            )
        }
        _ = roster.apply(Settings(targets: targets), at: .zero)
        for second in 1...2_000 {
            let now = Duration.seconds(second)
            let id = roster.states[Int(random.next() % UInt64(roster.states.count))].id
            switch random.next() % 20 {
            case 0: _ = roster.pause([id], at: now)
            case 1: _ = roster.resume([id], at: now)
            case 2: roster.reset([id], at: now)
            case 3: _ = roster.record([.stalled(gap: .seconds(1), at: now)])
            case 4:
                let subset = targets.filter { $0.name == "T0" || second % 3 == 0 || random.next() % 8 != 0 }
                _ = roster.apply(Settings(targets: subset), at: now)
            default:
                let outcomes: [Outcome] = [
                    .timeout, .timeout, .failure(Failure(.refused)), .reply(roundTrip: .milliseconds(1)),
                    .reply(roundTrip: .milliseconds(9)), .fault(Fault(.permission, detail: "not allowed")),
                ]
                let outcome = outcomes[Int(random.next() % 6)]
                for _ in 0..<3 {
                    let observation = Observation(target: id, sequence: second, time: now, outcome: outcome)
                    _ = roster.record([.observation(observation)])
                }
            }
            #expect(roster.states.targetSummaries == roster.states.map(\.targetSummary))
            #expect(
                roster.states.healthCounts
                    == roster.states.map(\.targetSummary).reduce(into: HealthCounts()) { $0.add($1) }
            )
        }
        let counts = roster.states.healthCounts
        #expect(counts.total > 12 && counts.down > 0 && counts.paused > 0)
    }

    @Test func `each target is counted once, by its displayed health`() {
        var roster = Roster()
        let targets = [
            Target.make("Switch"), .make("Child", dependsOn: [.target("Switch")]), .make("Off"), .make("New"),
        ]
        _ = roster.apply(Settings(targets: targets), at: .zero)
        _ = roster.pause([roster.states[2].id], at: .zero)
        for sequence in 1...3 {
            let time = Duration.seconds(sequence)
            let lost = Observation(target: roster.states[0].id, sequence: sequence, time: time, outcome: .timeout)
            _ = roster.record([.observation(lost)])
        }
        let counts = roster.states.healthCounts
        #expect(counts.total == 4)
        #expect([counts.down, counts.blocked, counts.paused, counts.unknown] == [1, 1, 1, 1])
        #expect(counts.reachable == 0)
    }

    @Test func `a flapping target is counted by its health and as flapping, until it is paused`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("Radio", fall: 1), .make("NAS")]), at: .zero)
        let id = roster.states[0].id
        for second in 1...12 {
            let outcome: Outcome = second.isMultiple(of: 2) ? .timeout : .reply(roundTrip: .milliseconds(1))
            let time = Duration.seconds(second)
            _ = roster.record([.observation(Observation(target: id, sequence: second, time: time, outcome: outcome))])
        }
        #expect(roster.states.healthCounts.flapping == 1)
        #expect(roster.states.healthCounts.down == 1)
        #expect(roster.states.targetSummaries.map(\.isFlapping) == [true, false])
        _ = roster.pause([id], at: .seconds(20))
        #expect(roster.states.healthCounts.flapping == 0)
    }

    @Test func `a round trip alone does not count as a change`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("A")]), at: .zero)
        let id = roster.states[0].id
        let answer = { (milliseconds: Int) in
            Finding.observation(
                Observation(
                    target: id,
                    sequence: 1,
                    time: .seconds(1),
                    outcome: .reply(roundTrip: .milliseconds(milliseconds))
                )
            )
        }
        _ = roster.record([answer(1)])
        let before = roster.states.changes
        _ = roster.record([answer(2)])
        #expect(roster.states.changes == before)
        #expect(roster.states.targetSummaries[0].roundTrip == .milliseconds(2))
        _ = roster.pause([id], at: .seconds(2))
        #expect(roster.states.changes == before + 1)
    }
}
