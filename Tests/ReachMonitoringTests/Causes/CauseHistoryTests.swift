import TestSupport
import Testing

@testable import ReachMonitoring

/// What the history, the spans of this run and the reports keep of common causes.
struct CauseHistoryTests {
    private static let wall = WallTime(start: .seconds(1_795_183_339))

    /// Three targets go down by a cause, one of them a moment later; then the cause is over.
    private static var events: [TargetEvent] {
        let cause = CommonCause.sample
        let news: [(CauseNews, [Int], Int64)] = [
            (.named(cause), [0, 1], 5), (.joined(cause), [2], 6), (.ended(cause, successor: nil), [0, 1, 2], 61),
        ]
        var events = (0..<3).map { target in
            TargetEvent(Target.ID(target), transition(to: .down, from: .up, at: 4))
        }
        for (news, targets, time) in news {
            var consequences = Consequences()
            consequences.events = [RosterEvent(.cause(news), of: targets.map { Target.ID($0) }, at: .seconds(time))]
            events += TargetEvent.events(of: consequences, at: .seconds(time), wall: wall, redaction: Redaction())
        }
        return events + (0..<3).map { TargetEvent(Target.ID($0), transition(to: .up, from: .down, at: 62)) }
    }

    private static func transition(to health: Health, from old: Health, at time: Int64) -> HistoryEvent {
        let cause: Cause = health == .down ? .losses(3, nil) : .replies(1)
        return HistoryEvent(
            Transition(from: old, to: health, time: .seconds(time), lasted: .seconds(1), cause: cause),
            wall: wall
        )
    }

    @Test func `each explained target has an event, and the program one for the begin and the end`() throws {
        let events = Self.events
        let explained = events.filter { $0.event.kind == .cause }
        #expect(explained.map { $0.target?.rawValue } == [0, 1, 2])
        #expect(explained.allSatisfy { $0.event.detail == CommonCause.sample.place })
        let common = events.filter { $0.event.kind == .commonCause }
        #expect(common.map(\.event.reason) == ["named", "ended"])
        #expect(common.allSatisfy { $0.target == nil })
        #expect(common.last?.event.length == .seconds(60))
        #expect(common.first?.event.detail == CauseNews.named(.sample).summary)
    }

    @Test func `outages have the cause that explains them`() throws {
        let start = Self.wall.start
        let run = ProgramRun(id: 1, from: start, until: start + .seconds(100))
        var spans = StoredSpans(of: run)
        for event in Self.events { spans.add(event.event, of: event.target.map { Int64($0.rawValue) }) }
        let place = CommonCause.sample.place
        let accounts = try (0..<3).map { target in
            Availability(try #require(spans.byTarget[Int64(target)]), from: start, until: start + .seconds(100))
        }
        for account in accounts {
            #expect(account.outages.map(\.commonCause) == [place])
            #expect(account.outages.first?.reason == "timeout, common cause: \(place)")
            #expect(account.commonCauses.map(\.count) == [1])
        }
        let rows = accounts.enumerated().map { index, account in
            HistoryReport.Row(
                name: "t\(index)",
                url: "icmp://192.0.2.\(index)",
                group: nil,
                availability: account,
                figures: nil
            )
        }
        let report = HistoryReport(
            from: start,
            until: start + .seconds(100),
            countingUnknownAsDown: false,
            rows: rows
        )
        let total = try #require(report.commonCauses.first)
        #expect(report.commonCauses.count == 1)
        #expect(total.place == place && total.outages == 3 && total.targets == 3)
        #expect(total.down == accounts.reduce(.zero) { $0 + ($1.outages.first?.length ?? .zero) })
    }

    @Test func `the spans of this run have the cause, also when it is over`() throws {
        var hosts = CauseWorld.hosts(12, "a", network: 1, behind: ["10.0.0.1", "10.1.0.1"])
        for network in 2...5 {
            hosts += CauseWorld.hosts(6, "b\(network)-", network: network, behind: ["10.0.0.1", "10.\(network).0.1"])
        }
        var world = CauseWorld(hosts)
        world.run(60)
        world.dead = ["10.1.0.1"]
        world.off = ["10.2.3.5"]
        world.run(40)
        (world.dead, world.off) = ([], [])
        world.run(40)
        let ids = [world.id("a3"), world.id("b2-3")]
        let spans = world.roster.spans(of: ids, until: world.now, wall: Self.wall)
        let causes = try ids.map { id in
            try #require(spans[id]).filter { $0.state == .down }.map(\.commonCause)
        }
        #expect(causes == [["10.1.0.1"], [nil]])
    }
}
