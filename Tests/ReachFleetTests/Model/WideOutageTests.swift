import ReachMonitoring
import Testing

@testable import ReachFleet

/// Outages of more targets and series than one query is for.
struct WideOutageTests {
    private static let start = 1_000.0
    private static let hook = HookRule(on: [.down, .up], run: .command(.shell("true")))

    private func story(
        _ fleet: SimulatedFleet,
        rows: Int = 2_000,
        _ change: @escaping (inout PrometheusSettings) -> Void = { _ in }
    ) -> FleetStory {
        var server = FleetStory.Server()
        server.network = fleet
        server.names = fleet.names
        server.labels = ["vantage", "group"]
        return FleetStory([server], rows: rows) { settings in
            settings.hooks = [Self.hook]
            change(&settings)
        }
    }

    /// The numbers of targets by health, with those that are only counted, and of disputed ones.
    private func counts(_ story: inout FleetStory) -> [String: Int] {
        let update = story.model.takeUpdate(at: story.now)
        var counts: [String: Int] = [update.countedHealth.rawValue: update.counted.values.reduce(0, +)]
        for state in story.roster.states { counts[state.health.rawValue, default: 0] += 1 }
        counts["disputed"] = story.roster.states.healthCounts.disputed
        return counts.filter { $0.value > 0 }
    }

    /// A size of a fleet, and up to which number it is read as a whole.
    private typealias Size = (targets: Int, rows: Int)

    @Test(
        arguments: [
            ((2_500, 2_000), SimulatedFleet.Series.reach, Quorum.majority), ((1_900, 2_000), .reach, .all),
            ((600, 500), .reach, .all), ((600, 500), .bare, .all), ((400, 500), .bare, .all),
            ((600, 500), .blackbox, .majority), ((400, 500), .blackbox, .majority),
        ] as [(Size, SimulatedFleet.Series, Quorum)]
    )
    func `all targets fail and recover, with the right counts and a hook for each`(
        size: (targets: Int, rows: Int),
        series: SimulatedFleet.Series,
        quorum: Quorum
    ) {
        var fleet = SimulatedFleet(size.targets, series)
        fleet.outages = [Self.start + 10..<Self.start + 30]
        var story = story(fleet, rows: size.rows) { $0.quorum = quorum }
        story.run(for: .seconds(10))
        #expect(counts(&story) == ["up": size.targets])
        // The last scrape is at 11 s.
        story.run(for: .seconds(6))
        #expect(counts(&story) == ["down": size.targets])
        #expect(story.runs.count == size.targets && Set(story.runs.map(\.target)).count == size.targets)
        story.run(for: .seconds(14))
        #expect(counts(&story) == ["down": size.targets])
        story.run(for: .seconds(6))
        #expect(counts(&story) == ["up": size.targets])
        #expect(story.runs.count == 2 * size.targets)
        #expect(!story.transitions.contains { $0.hasSuffix("→unknown") })
    }

    @Test func `an answer that is too long is divided by vantage points`() {
        var fleet = SimulatedFleet(600)
        fleet.mostSeries = 1_000
        fleet.outages = [Self.start + 10..<Self.start + 40]
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(20))
        #expect(counts(&story) == ["down": 600])
        #expect(story.sent[0].contains { $0.purpose == .failing(vantagePoint: "nyc") })
        story.run(for: .seconds(26))
        #expect(counts(&story) == ["up": 600] && story.runs.count == 1_200)
    }

    @Test func `a fleet whose rows are too long for one answer is read in parts`() {
        var fleet = SimulatedFleet(400)
        fleet.mostSeries = 1_000
        fleet.outages = [Self.start + 40..<Self.start + 90]
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(35))
        #expect(counts(&story) == ["up": 400])
        story.run(for: .seconds(20))
        #expect(counts(&story) == ["down": 400] && story.runs.count == 400)
    }

    @Test func `while failing targets cannot be read, the others are unknown`() {
        var fleet = SimulatedFleet(600)
        fleet.rejectsFailing = true
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(5))
        #expect(counts(&story) == ["unknown": 600])
        story.servers[0].network?.rejectsFailing = false
        story.run(for: .seconds(40))
        #expect(counts(&story) == ["up": 600])
    }

    @Test func `targets that are only counted are unknown when no vantage point reports`() {
        var story = story(SimulatedFleet(600), rows: 500) { $0.staleAfter = .seconds(10) }
        story.run(for: .seconds(5))
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(8))
        #expect(counts(&story) == ["up": 600])
        story.run(for: .seconds(5))
        #expect(counts(&story) == ["unknown": 600])
    }

    @Test(arguments: [SimulatedFleet.Series.reach, .bare, .blackbox], [100, 600])
    func `every exporter is read as often`(series: SimulatedFleet.Series, targets: Int) {
        var fleet = SimulatedFleet(targets, series)
        fleet.outages = [Self.start + 60..<Self.start + 200]
        var story = story(fleet, rows: 500) { $0.staleAfter = .seconds(8) }
        story.run(for: .seconds(60))
        #expect(counts(&story) == ["up": targets])
        story.run(for: .seconds(6))
        #expect(counts(&story) == ["down": targets])
        #expect(!story.transitions.contains { $0.hasSuffix("→unknown") }, "no fault")
    }

    @Test(arguments: [100, 600])
    func `a vantage point with other series than those of reach watch is heard as well`(targets: Int) {
        var fleet = SimulatedFleet(targets)
        fleet.vantagePoints[2].series = .bare
        fleet.outages = [Self.start + 60..<Self.start + 200]
        var story = story(fleet, rows: 500) { settings in
            settings.staleAfter = .seconds(8)
            settings.quorum = .all
        }
        story.run(for: .seconds(60))
        #expect(counts(&story) == ["up": targets])
        story.run(for: .seconds(6))
        #expect(counts(&story) == ["down": targets])
        #expect(!story.transitions.contains { $0.hasSuffix("→unknown") }, "no fault")
        #expect(story.roster.states.first?.vantageVerdict?.down.map(\.detail) == ["refused", "refused", nil])
    }

    @Test func `a target that failed before the program began has no hook`() {
        var fleet = SimulatedFleet(600)
        fleet.outages = [Self.start - 100..<Self.start + 20]
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(10))
        #expect(counts(&story) == ["down": 600] && story.runs.isEmpty)
        story.run(for: .seconds(16))
        #expect(counts(&story) == ["up": 600] && story.runs.count == 600)
    }

    @Test func `a server that knows nothing of earlier times has the same verdicts`() {
        var fleet = SimulatedFleet(600)
        fleet.rejectsEarlier = true
        fleet.outages = [Self.start + 10..<Self.start + 30]
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(16))
        #expect(counts(&story) == ["down": 600])
        story.run(for: .seconds(20))
        #expect(counts(&story) == ["up": 600])
        let earlier = story.sent[0].count { if case .earlierRows = $0.purpose { true } else { false } }
        #expect(earlier == 1, "it is not asked again for these targets")
    }

    @Test func `while everything is down, the server is asked for little`() {
        var fleet = SimulatedFleet(600)
        fleet.interval = 15
        fleet.outages = [Self.start + 10..<Self.start + 500]
        var story = story(fleet, rows: 500)
        story.run(for: .seconds(60))
        let before = story.sent[0].count { if case .rows = $0.purpose { true } else { false } }
        story.run(for: .seconds(60))
        let after = story.sent[0].count { if case .rows = $0.purpose { true } else { false } }
        #expect(after == before, "no rows")
        #expect(counts(&story) == ["down": 600])
    }
}

/// A fleet with more targets than are read at once.
struct LargeFleetTests {
    private typealias Server = FleetStory.Server
    private typealias Expression = FleetStory.Server.Expression

    /// A large fleet: only the counts and the failing targets are read, and the rows of those.
    private func large() -> Server {
        var server = Server.healthy()
        server.answers[Expression.counts] = ["group=Web,vantage=fra 90000", "group=DB,vantage=fra 10000"]
        server.answers[Expression.failing] = ["target=Shop,group=Web,vantage=fra,health=down,reason=refused 900"]
        server.answers[Expression.rows("Shop")] = [
            "target=Shop,group=Web,vantage=fra 0", "target=Shop,group=Web,vantage=nyc 1",
            "target=Shop,group=Web,vantage=sin 1", "target=Shop,group=Web,vantage=sin,reach_part=round_trip 0.18",
        ]
        return server
    }

    @Test func `of a large fleet, never all series are read`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(60))
        #expect(
            story.expressions() == [
                "/api/v1/label/__name__/values", "/api/v1/labels", Expression.reports, Expression.failing,
                Expression.counts, Expression.rows("Shop"), Expression.summaries,
            ]
        )
        #expect(story.roster.states.count == 1)
        #expect(story.model.requestedRows(at: story.now) == ["Shop"])
    }

    @Test func `the first vantage point that sees a target down is no majority`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        #expect(story.health("Shop") == .up)
        #expect(story.transitions == ["Shop: unknown→up"])
    }

    @Test func `what is counted only is what is not among the targets`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        #expect(story.model.takeUpdate(at: story.now).counted == ["Web": 89_999, "DB": 10_000])
    }

    @Test func `a target without a user is forgotten`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        story.servers[0].answers[Expression.failing] = []
        story.servers[0].answers[Expression.rows("Shop")] = ["target=Shop,group=Web,vantage=fra 1"]
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1020", "vantage=nyc 1020", "vantage=sin 1020"]
        story.run(for: .seconds(300))
        #expect(story.roster.states.count == 1)
        story.run(for: .seconds(320))
        #expect(story.roster.states.isEmpty)
    }
}
