import TestSupport
import Testing

@testable import ReachMonitoring

/// Properties of verdicts over random reports, compared with a naive reference that keeps all of them.
@Suite struct VantagePropertyTests {
    private static let names = ["fra", "gru", "jnb", "nyc", "sin", "syd"]
    private static let quorums: [Quorum] = [.majority, .all, .any, .count(1), .count(2), .count(4)]
    private static let staleAfter = Duration.seconds(60)

    private static func report(at time: Duration, using generator: inout TestSupport.SplitMix) -> VantageReport {
        let health = Health.allCases.randomElement(using: &generator)
        let milliseconds = Int.random(in: 1...400, using: &generator)
        return VantageReport(
            vantagePoint: names.randomElement(using: &generator) ?? "",
            health: Int.random(in: 0..<12, using: &generator) == 0 ? nil : health,
            roundTrip: Bool.random(using: &generator) ? .milliseconds(milliseconds) : nil,
            detail: Bool.random(using: &generator) ? "HTTP \(500 + milliseconds % 4)" : nil,
            sampled: .seconds(1_000_000) + time,
            time: time
        )
    }

    /// The healths that count, by the plain definition: of each vantage point, the newest report, unless it is too old
    /// or the end of the series.
    private static func votes(_ reports: [VantageReport], at now: Duration) -> [Health] {
        names.compactMap { name in
            let all = reports.filter { $0.vantagePoint == name }
            guard let newest = all.map(\.sampled).max() else { return nil }
            let last = all.filter { $0.sampled == newest }
            guard last.allSatisfy({ $0.health != nil }), last[0].time + staleAfter > now else { return nil }
            let order: [Health] = [.down, .degraded, .up]
            return order.first { health in last.contains { $0.health == health } }
        }
    }

    /// The verdict by the plain definition.
    private static func verdict(_ votes: [Health], _ quorum: Quorum) -> Health {
        let (down, degraded) = (votes.count { $0 == .down }, votes.count { $0 == .degraded })
        let agree: (Int) -> Bool = { count in
            switch quorum {
            case .majority: 2 * count > votes.count
            case .all: count == votes.count
            case .any: count > 0
            case .count(let needed): count >= needed
            }
        }
        if votes.isEmpty { return .unknown }
        if case .count(let needed) = quorum, votes.count < needed { return .unknown }
        return agree(down) ? .down : agree(down + degraded) ? .degraded : .up
    }

    @Test(arguments: 0..<40) func `the order of reports does not matter`(seed: Int) {
        var generator = TestSupport.SplitMix(seed: UInt64(seed))
        // Few times, so that several reports are on one sample.
        let reports = (0..<Int.random(in: 1...40, using: &generator)).map { _ in
            Self.report(at: .seconds(Int.random(in: 0...20, using: &generator)), using: &generator)
        }
        let now = Duration.seconds(30)
        for quorum in Self.quorums {
            let expected = Self.verdict(Self.votes(reports, at: now), quorum)
            for _ in 0..<4 {
                var points = VantagePoints()
                for report in reports.shuffled(using: &generator) {
                    _ = points.record([report], at: now, staleAfter: Self.staleAfter)
                }
                #expect(points.verdict(under: quorum).health == expected, "seed \(seed), \(quorum)")
                #expect(points.isDisputed == points.verdict(under: quorum).isDisputed)
            }
            var together = VantagePoints()
            _ = together.record(reports.shuffled(using: &generator), at: now, staleAfter: Self.staleAfter)
            #expect(together.verdict(under: quorum).health == expected, "seed \(seed), \(quorum), together")
        }
    }

    @Test(arguments: 0..<30) func `the health is the verdict on fresh reports at any time`(seed: Int) throws {
        var generator = TestSupport.SplitMix(seed: UInt64(seed))
        let quorum = Self.quorums[seed % Self.quorums.count]
        let question = FleetQuestion(instance: "shop:443", quorum: quorum, staleAfter: Self.staleAfter)
        var roster = Roster()
        _ = roster.apply(Settings(targets: [Target(name: "Shop", question: .fleet(question))]), at: .zero)
        let id = roster.states[0].id
        var now = Duration.zero
        var reports: [VantageReport] = []
        for _ in 0..<120 {
            now += .seconds(Int.random(in: 1...(Bool.random(using: &generator) ? 5 : 40), using: &generator))
            if Int.random(in: 0..<3, using: &generator) > 0 {
                let new = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    Self.report(at: now - .seconds(Int.random(in: 0...70, using: &generator)), using: &generator)
                }
                reports += new
                _ = roster.record([.vantageReports(id, new, at: now)])
            }
            _ = roster.expire(at: now)
            let votes = Self.votes(reports, at: now)
            let expected = Self.verdict(votes, quorum)
            let state = try #require(roster[id])
            #expect(state.health == expected, "seed \(seed) at \(now), votes \(votes), \(quorum)")
            #expect(votes.contains(.down) || state.health != .down, "down without a fresh report of it")
            #expect(roster.states.healthCounts.disputed == (state.targetSummary.isDisputed ? 1 : 0))
        }
        #expect(!reports.isEmpty)
    }

    @Test func `the summaries of vantage points are those of a new count`() throws {
        var generator = TestSupport.SplitMix(seed: 7)
        let targets = (0..<12).map {
            let question = FleetQuestion(instance: "shop\($0)", staleAfter: Self.staleAfter)
            return Target(name: "Shop \($0)", question: .fleet(question))
        }
        var roster = Roster()
        _ = roster.apply(Settings(targets: targets), at: .zero)
        var now = Duration.zero
        for step in 0..<200 {
            now += .seconds(Int.random(in: 1...20, using: &generator))
            let id = try #require(roster.states.randomElement(using: &generator)?.id)
            _ = roster.record([.vantageReports(id, [Self.report(at: now, using: &generator)], at: now)])
            if step % 7 == 0 { _ = roster.record([.vantagePointsReporting(["fra", "nyc"], at: now)]) }
            _ = roster.expire(at: now)
            if step == 100 { _ = roster.apply(Settings(targets: Array(targets.prefix(6))), at: now) }
            var counted = roster.vantage
            counted.recount(roster.states)
            #expect(counted.summaries.mapValues(\.counts) == roster.vantage.summaries.mapValues(\.counts))
        }
    }
}

extension VantageSummary {
    fileprivate var counts: [Int] { [targets, reporting, up, degraded, down] }
}
