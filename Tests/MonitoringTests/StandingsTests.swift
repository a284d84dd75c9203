import Monitoring
import TestSupport
import Testing

@Suite struct StandingsTests {
    @Test func `whatever happens, the census and the glances are those of the standings`() {
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
            let id = roster.standings[Int(random.next() % UInt64(roster.standings.count))].id
            switch random.next() % 20 {
            case 0: _ = roster.pause([id], at: now)
            case 1: _ = roster.resume([id], at: now)
            case 2: roster.reset([id], at: now)
            case 3: _ = roster.record([.stalled(gap: .seconds(1), at: now)])
            case 4:
                let some = targets.filter { $0.name == "T0" || second % 3 == 0 || random.next() % 8 != 0 }
                _ = roster.apply(Settings(targets: some), at: now)
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
            #expect(roster.standings.glances == roster.standings.map(\.glance))
            #expect(roster.standings.census == roster.standings.map(\.glance).reduce(into: Census()) { $0.add($1) })
        }
        let census = roster.standings.census
        #expect(census.total > 12 && census.down > 0 && census.paused > 0)
    }

    @Test func `a census counts each target once, and as what is said of it`() {
        var roster = Roster()
        let targets = [
            Target.make("Switch"), .make("Behind", dependsOn: [.target("Switch")]), .make("Off"), .make("New"),
        ]
        _ = roster.apply(Settings(targets: targets), at: .zero)
        _ = roster.pause([roster.standings[2].id], at: .zero)
        for sequence in 1...3 {
            let time = Duration.seconds(sequence)
            let lost = Observation(target: roster.standings[0].id, sequence: sequence, time: time, outcome: .timeout)
            _ = roster.record([.observation(lost)])
        }
        let census = roster.standings.census
        #expect(census.total == 4)
        #expect([census.down, census.blocked, census.paused, census.unknown] == [1, 1, 1, 1])
        #expect(census.reachable == 0)
    }

    @Test func `a round trip alone is no change of what is seen`() {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("A")]), at: .zero)
        let id = roster.standings[0].id
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
        let before = roster.standings.changes
        _ = roster.record([answer(2)])
        #expect(roster.standings.changes == before)
        #expect(roster.standings.glances[0].roundTrip == .milliseconds(2))
        _ = roster.pause([id], at: .seconds(2))
        #expect(roster.standings.changes == before + 1)
    }
}
