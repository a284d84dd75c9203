import ReachMonitoring
import TestSupport
import Testing

@testable import ReachFleet

/// The beginnings of outages that the program has not seen begin, of metrics that do not have them.
struct OutageSearchTests {
    private static let failing = "(probe_success{}) == 0"
    private static let reports = "max by (vantage) (timestamp((probe_success{})))"
    private static let rows = rows(staleAfter: 150)

    private static func rows(staleAfter: Double) -> String {
        "(probe_success{} and timestamp(probe_success{}) > time() - \(staleAfter)) "
            + "or label_replace(probe_duration_seconds{}, \"reach_part\", \"round_trip\", \"\", \"\")"
    }

    private static func starts(_ window: String) -> String {
        let probes = "probe_success{instance=\"shop\"}"
        return "max_over_time(timestamp((\(probes)) > 0)[\(window)]) or -min_over_time(timestamp(\(probes))[\(window)])"
    }

    /// A server with a target that two vantage points see down since before the program began, at 1,000 s.
    private func server() -> FleetStory.Server {
        var server = FleetStory.Server()
        (server.names, server.labels) = (["probe_success", "probe_duration_seconds"], ["vantage", "instance", "job"])
        server.answers[Self.reports] = ["vantage=fra 1000", "vantage=nyc 1000"]
        server.answers["count by (job, vantage) (probe_success{})"] = [
            "job=web,vantage=fra 1", "job=web,vantage=nyc 1",
        ]
        server.answers[Self.failing] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 0" }
        server.answers[Self.rows] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 0" }
        return server
    }

    private func since(_ story: FleetStory) -> Double? {
        story.roster.states.first.map { $0.since.inSeconds.rounded() }
    }

    @Test func `an outage is as old as the last success says`() {
        var server = server()
        server.answers[Self.starts("1h:15s")] = ["instance=shop,job=web,vantage=fra 600"]
        server.answers[Self.starts("24h:300s")] = ["instance=shop,job=web,vantage=nyc 100"]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        // Down for both after 600 s and 15 s, of which the program began at 1,000.
        #expect(story.health("shop") == .down && since(story) == -385)
        #expect(story.verdict("shop")?.down.map { $0.since.inSeconds.rounded() } == [-385, -600])
        let searches = story.sent[0].count { if case .outageStarts = $0.purpose { true } else { false } }
        #expect(searches == 2)
        // The failing targets and the rows are read again.
        story.servers[0].answers[Self.reports] = ["vantage=fra 1003", "vantage=nyc 1003"]
        story.run(for: .seconds(40))
        #expect(since(story) == -385 && story.transitions == ["shop: unknown→down"])
    }

    @Test func `a later outage is new`() {
        var server = server()
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 600" }
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        #expect(since(story) == -385)
        // The failing targets are not read while the target is up.
        story.servers[0].answers[Self.rows] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 1" }
        story.servers[0].answers[Self.reports] = ["vantage=fra 1003", "vantage=nyc 1003"]
        story.run(for: .seconds(3))
        #expect(story.health("shop") == .up)
        story.servers[0].answers[Self.rows] = server.answers[Self.rows]
        story.servers[0].answers[Self.reports] = ["vantage=fra 1006", "vantage=nyc 1006"]
        story.run(for: .seconds(3))
        #expect(
            story.health("shop") == .down && since(story).map { $0 >= 3 } == true,
            "\(String(describing: since(story)))"
        )
    }

    /// The program begins at 1,000 s: the hour before it begins at -2,600.
    @Test(arguments: [(-400, -600), (2_000, nil)]) func `without a success, an outage begins with the first sample`(
        value: Double,
        expected: Double?
    ) {
        var server = server()
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) \(value)" }
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        #expect(since(story) == (expected ?? 0), "a success in the future is none")
    }

    @Test func `a sample at the start of the window may not be the first one`() {
        let now = 10_000_000.0
        func start(_ value: Double, in window: Int) -> Double? {
            OutageSearch.start(MetricSeries(labels: [:], points: [.init(time: now, value: value)]), in: window)
        }
        #expect(start(-(now - 3_595), in: 0) == nil && start(-(now - 3_000), in: 0) == now - 3_000)
        #expect(start(-(now - 86_000), in: 1) == nil && start(-(now - 2_592_000), in: 2) == now - 2_592_000)
        #expect(start(now - 100, in: 0) == now - 85 && start(now - 5, in: 0) == now && start(.nan, in: 0) == nil)
    }

    @Test func `without any sample of the past, an outage begins with the first one that is read`() {
        var story = FleetStory([server()])
        story.run(for: .seconds(3))
        #expect(story.health("shop") == .down && since(story) == 0)
        let searches = story.sent[0].filter { if case .outageStarts = $0.purpose { true } else { false } }
        #expect(searches.map(\.purpose) == (0..<3).map { .outageStarts(of: ["shop"], window: $0) })
    }

    @Test(arguments: [QueryFailure.rejected(type: "execution", "no subqueries"), .unreachable("refused"), .tooLong])
    func `a search that fails is not made again, and nothing waits for it`(_ failure: QueryFailure) {
        var planner = QueryPlanner(PrometheusSettings(name: "p", url: "http://p:9090"))
        var random = SplitMix(seed: 3)
        var searches = 0
        for second in 0..<60 {
            let now = Duration.seconds(second)
            while let query = planner.next(at: now) {
                var result = QueryResult()
                switch query.purpose {
                case .outageStarts:
                    searches += 1
                    planner.fail(query, failure, at: now, using: &random)
                    continue
                case .metricNames: result.texts = ["probe_success"]
                case .failing: result.series = [MetricSeries(picture: "instance=a,job=b 0", at: 1_000)]
                default: break
                }
                planner.complete(query, result, after: .zero, at: now)
            }
        }
        #expect(searches == 1 && planner.outages.targets.isEmpty && planner.rejections.isEmpty)
    }

    /// A Prometheus that has just started has no series of a target before it scrapes it.
    @Test func `an outage whose series appear later is as old as the last success says, too`() {
        var server = server()
        let answers = server.answers
        (server.answers[Self.failing], server.answers[Self.rows]) = ([], ["instance=mail,job=web,vantage=fra 1"])
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 600" }
        var story = FleetStory([server])
        story.run(for: .seconds(5))
        #expect(story.health("mail") == .up && story.health("shop") == nil)
        story.servers[0].answers[Self.failing] = answers[Self.failing]
        story.servers[0].answers[Self.rows]? += answers[Self.rows] ?? []
        story.servers[0].answers[Self.reports] = ["vantage=fra 1005", "vantage=nyc 1005"]
        story.run(for: .seconds(3))
        let shop = story.roster.states.first { $0.target.name == "shop" }
        #expect(shop?.health == .down && shop?.since.inSeconds.rounded() == -385)
        #expect(story.transitions == ["mail: unknown→up", "shop: unknown→down"])
    }

    @Test func `a vantage point that returns with a failure says since when`() {
        var server = server()
        server.answers[Self.reports] = ["vantage=fra 1000"]
        server.answers[Self.failing] = []
        server.answers[Self.rows] = ["instance=shop,job=web,vantage=fra 1"]
        server.answers[Self.starts("1h:15s")] = ["instance=shop,job=web,vantage=nyc 600"]
        var story = FleetStory([server])
        story.run(for: .seconds(5))
        story.servers[0].answers[Self.reports] = ["vantage=fra 1005", "vantage=nyc 1005"]
        story.servers[0].answers[Self.failing] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 0" }
        story.servers[0].answers[Self.rows] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 0" }
        story.run(for: .seconds(3))
        let down = story.verdict("shop")?.down.map { $0.since.inSeconds.rounded() }
        #expect(down?.count == 2 && down?.last == -385 && down?.first.map { $0 >= 5 } == true, "\(down ?? [])")
    }

    @Test func `a failure of what was up is a new one, and is not searched for`() {
        var search = OutageSearch()
        search.note(up: ["shop": ["fra"]])
        search.note(failing: ["shop": ["fra"]])
        #expect(search.purpose(count: 1) == nil && search.targets.isEmpty)
        search.note(failing: ["shop": ["fra", "nyc"]])
        #expect(search.purpose(count: 1) == .outageStarts(of: ["shop"], window: 0))
        search.forget()
        search.end()
        search.note(failing: ["shop": ["fra"]])
        #expect(search.purpose(count: 1) == .outageStarts(of: ["shop"], window: 0))
        search.begin(["shop"], window: 0)
        search.finish(found: ["shop": ["fra"]])
        search.note(failing: ["shop": ["fra"]])
        #expect(search.purpose(count: 1) == nil, "it was searched for")
    }

    @Test(arguments: [(seconds: 5, searches: 1), (30, 2)]) func `after a long silence, outages are searched for again`(
        seconds: Int,
        searches: Int
    ) {
        var server = server()
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 600" }
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        story.servers[0].failure = .unreachable("refused")
        story.servers[0].answers[Self.reports] = ["vantage=fra 1003", "vantage=nyc 1003"]
        story.run(for: .seconds(seconds))
        story.servers[0].failure = nil
        story.run(for: .seconds(65))
        let sent = story.sent[0].filter { if case .outageStarts = $0.purpose { true } else { false } }
        #expect(sent.count == searches)
    }

    /// Up before, then unreachable for 40 s: shorter than `stale_after`.
    @Test func `an outage that began while the server was silent is as old as the last success says`() {
        var server = server()
        let answers = server.answers
        server.answers[Self.failing] = []
        server.answers[Self.rows] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 1" }
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 1010" }
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(40))
        story.servers[0].failure = nil
        story.servers[0].answers[Self.failing] = answers[Self.failing]
        story.servers[0].answers[Self.rows] = answers[Self.rows]
        story.servers[0].answers[Self.reports] = ["vantage=fra 1040", "vantage=nyc 1040"]
        story.run(for: .seconds(35))
        #expect(story.transitions == ["shop: unknown→up", "shop: up→down"])
        #expect(since(story) == 25)
    }

    @Test func `a failure after the silence of a vantage point is searched for`() {
        var server = server()
        server.answers[Self.starts("1h:15s")] = ["fra", "nyc"].map { "instance=shop,job=web,vantage=\($0) 600" }
        server.answers[Self.rows(staleAfter: 10)] = server.answers[Self.rows]
        var story = FleetStory([server]) { $0.staleAfter = .seconds(10) }
        story.run(for: .seconds(30))
        #expect(story.transitions == ["shop: unknown→down", "shop: down→unknown"])
        // Up meanwhile.
        story.servers[0].answers[Self.starts("1h:15s")] = ["fra", "nyc"].map {
            "instance=shop,job=web,vantage=\($0) 1010"
        }
        story.servers[0].answers[Self.reports] = ["vantage=fra 1030", "vantage=nyc 1030"]
        story.run(for: .seconds(5))
        #expect(story.health("shop") == .down && since(story) == 25)
    }

    @Test func `the answer to an older search changes nothing`() {
        var search = OutageSearch()
        search.finish(found: ["shop": ["fra"]])
        search.note(failing: ["shop": ["fra"]])
        #expect(search.purpose(count: 1) == .outageStarts(of: ["shop"], window: 0))
    }

    @Test func `many targets are asked for in parts, and those with a success once`() {
        var search = OutageSearch()
        search.note(failing: Dictionary(uniqueKeysWithValues: (0..<600).map { ("t\($0)", ["fra"]) }))
        var sizes: [Int] = []
        while case .outageStarts(let targets, let window)? = search.purpose(count: 250) {
            search.begin(targets, window: window)
            #expect(search.purpose(count: 250) == nil, "one query at a time")
            sizes.append(targets.count)
            let found = window == 0 ? targets.dropLast(10) : []
            search.finish(found: Dictionary(uniqueKeysWithValues: found.map { ($0, ["fra"]) }))
        }
        #expect(sizes == [250, 250, 100, 30, 30] && search.targets.isEmpty)
    }
}
