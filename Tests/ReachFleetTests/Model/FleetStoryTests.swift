import ReachMonitoring
import Testing

@testable import ReachFleet

/// Planner, model and roster together, with scripted servers.
struct FleetStoryTests {
    private typealias Server = FleetStory.Server
    private typealias Expression = FleetStory.Server.Expression

    private func healthy() -> Server { .healthy() }

    @Test func `a small fleet is read as a whole`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .up && story.health("API") == .up)
        #expect(story.verdict("Shop")?.roundTrip == .milliseconds(12))
        #expect(story.roster.states.first?.target.group == "Web")
        #expect(
            story.expressions() == [
                "/api/v1/label/__name__/values", "/api/v1/labels", Expression.reports, Expression.failing,
                Expression.counts, Expression.all, Expression.earlierReports, Expression.summaries,
            ]
        )
    }

    @Test func `a vantage point that ended before the program began does not report`() {
        var server = healthy()
        server.answers[Expression.earlierReports] = ["vantage=fra 1000", "vantage=nyc 1000", "vantage=syd 400"]
        server.answers[Expression.rows(ofVantagePoint: "syd")] = [
            "target=Shop,group=Web,vantage=syd 0", "target=Gone,group=Web,vantage=syd 1",
            "target=Shop,group=Web,vantage=syd,reach_part=round_trip 0.2",
        ]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        let question = story.sent[0].first { $0.purpose == .ended(vantagePoint: "syd", at: 400) }
        #expect(question?.request.parameters.first { $0.name == "time" }?.value == "400.0")
        for _ in 0..<2 {
            #expect(story.health("Shop") == .up && story.health("Gone") == nil)
            #expect(story.verdict("Shop")?.silent.map(\.name) == ["syd"])
            #expect(story.verdict("Shop")?.silent.map(\.health) == [.down])
            #expect(story.verdict("Shop")?.silent.map { ($0.time.inSeconds + 600).rounded() } == [0])
            #expect(story.verdict("API")?.silent == [])
            // Longer than the longest pause: the rows are read again.
            story.run(for: .seconds(40))
        }
        story.servers[0].answers[Expression.reports]?.append("vantage=syd 1043")
        story.servers[0].answers[Expression.all]?.append("target=Shop,group=Web,vantage=syd 1")
        story.run(for: .seconds(3))
        #expect(story.verdict("Shop")?.silent == [] && story.verdict("Shop")?.total == 4)
        #expect(story.transitions == ["API: unknown→up", "Shop: unknown→up"])
        #expect(story.sent[0].count { $0.purpose == .earlierReports } == 1)
    }

    @Test func `the values of a vantage point that ended lately judge nothing`() {
        var server = healthy()
        for vantage in ["nyc", "sin"] {
            server.answers[Expression.all]?.removeAll { $0.contains("vantage=\(vantage)") }
            server.answers[Expression.reports]?.removeAll { $0.contains("vantage=\(vantage)") }
            server.answers[Expression.rows(ofVantagePoint: vantage)] = ["target=Shop,group=Web,vantage=\(vantage) 0"]
        }
        server.answers[Expression.earlierReports] = ["vantage=fra 1000", "vantage=nyc 990", "vantage=sin 990"]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .up && story.transitions == ["API: unknown→up", "Shop: unknown→up"])
        #expect(story.verdict("Shop")?.silent.map(\.name) == ["nyc", "sin"])
    }

    @Test func `a target is down when a quorum of the vantage points sees it down`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        let failure = "target=Shop,group=Web,health=down,reason=refused"
        story.servers[0].answers[Expression.failing] = ["\(failure),vantage=fra 1002"]
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1003", "vantage=nyc 1000", "vantage=sin 1000"]
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .up)
        #expect(story.verdict("Shop")?.isDisputed == true)
        story.servers[0].answers[Expression.failing] = ["\(failure),vantage=fra 1002", "\(failure),vantage=nyc 1005"]
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1003", "vantage=nyc 1006", "vantage=sin 1000"]
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .down)
        #expect(story.verdict("Shop")?.down.map(\.detail) == ["refused", "refused"])
        #expect(story.transitions == ["API: unknown→up", "Shop: unknown→up", "Shop: up→down"])
    }

    @Test func `a verdict waits for the reasons, which are read apart from the rows`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        let failure = "target=Shop,group=Web,health=down,reason=refused"
        story.servers[0].answers[Expression.all]? = ["fra 0", "nyc 0", "sin 1"].map {
            "target=Shop,group=Web,vantage=\($0)"
        }
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1003", "vantage=nyc 1003", "vantage=sin 1003"]
        story.run(for: .seconds(1.5))
        #expect(story.sent[0].filter { $0.purpose == .all }.count == 2)
        #expect(story.health("Shop") == .up)
        story.servers[0].answers[Expression.failing] = ["\(failure),vantage=fra 1003", "\(failure),vantage=nyc 1003"]
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1006", "vantage=nyc 1006", "vantage=sin 1006"]
        story.run(for: .seconds(3))
        #expect(story.verdict("Shop")?.down.map(\.detail) == ["refused", "refused"])
        #expect(
            story.details.count == 1 && story.details[0].contains("from 2 of 3: fra, nyc: refused; sin up"),
            "\(story.details)"
        )
    }

    @Test func `a row that stays down is believed without a reason`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        story.servers[0].answers[Expression.all]? = ["fra 0", "nyc 0", "sin 1"].map {
            "target=Shop,group=Web,vantage=\($0)"
        }
        for time in [1003, 1006, 1009] {
            story.servers[0].answers[Expression.reports] = ["fra", "nyc", "sin"].map { "vantage=\($0) \(time)" }
            story.run(for: .seconds(3))
        }
        #expect(story.health("Shop") == .down)
    }

    @Test func `an outage that is older than the program has its age`() {
        var server = healthy()
        // The first sample is of the time 1,000, at which the program starts.
        server.answers[Expression.failing] = [
            "target=Shop,group=Web,health=down,reason=refused,vantage=fra 700",
            "target=Shop,group=Web,health=down,reason=refused,vantage=nyc 720",
        ]
        server.answers[Expression.all] = [
            "target=Shop,group=Web,vantage=fra 0", "target=Shop,group=Web,vantage=nyc 0",
            "target=Shop,group=Web,vantage=sin 1",
        ]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .down)
        #expect(story.verdict("Shop")?.down.map(\.since) == [.seconds(-300), .seconds(-280)])
        #expect(
            story.roster.states.first { $0.target.name == "Shop" }?.since == .seconds(-280),
            "the quorum was reached"
        )
    }

    @Test func `a reload keeps the state of targets that are still there`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        let before = story.roster.states.map(\.id)
        story.reload { $0.quorum = .all }
        story.run(for: .milliseconds(100))
        #expect(story.roster.states.map(\.id) == before && story.health("Shop") == .up)
        story.run(for: .seconds(3))
        #expect(story.roster.states.map(\.id) == before)
        #expect(story.transitions == ["API: unknown→up", "Shop: unknown→up"])
        // The quorum is that of the new settings.
        let failure = "target=Shop,group=Web,health=down,reason=refused"
        story.servers[0].answers[Expression.failing] = ["fra", "nyc"].map { "\(failure),vantage=\($0) 1008" }
        story.servers[0].answers[Expression.reports] = ["fra", "nyc", "sin"].map { "vantage=\($0) 1009" }
        story.run(for: .seconds(5))
        #expect(story.health("Shop") == .up && story.verdict("Shop")?.isDisputed == true)
        // Another label is another target.
        story.reload { $0.targetLabel = "instance" }
        story.run(for: .milliseconds(100))
        #expect(story.roster.states.isEmpty)
    }

    @Test func `targets have the matchers of alerts, as the server has the labels`() throws {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        guard case .fleet(let question) = try #require(story.roster.states.first).target.question else {
            Issue.record("not of the fleet")
            return
        }
        #expect(question.matcher == LabelMatcher("target", "API"))
        #expect(question.groupMatcher == LabelMatcher("group", "Web"))
    }

    @Test func `a failure is shown within five seconds of its scrape`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(20))
        story.servers[0].answers[Expression.failing] = ["fra", "nyc", "sin"].map {
            "target=Shop,group=Web,health=down,reason=timeout,vantage=\($0) 1019"
        }
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1020", "vantage=nyc 1020", "vantage=sin 1020"]
        story.run(for: .seconds(2.5))
        #expect(story.health("Shop") == .down)
    }

    @Test func `a target of two groups is one, also where targets are counted`() {
        var server = healthy()
        server.answers[Expression.counts] = ["group=icmp,vantage=fra 1", "group=tcp,vantage=fra 1"]
        server.answers[Expression.all] = ["icmp 1", "tcp 0"].map { "target=db1,vantage=fra,group=\($0)" }
        var story = FleetStory([server])
        story.run(for: .seconds(40))
        #expect(story.roster.states.count == 1 && story.health("db1") == .down, "the worst counts")
        #expect(story.model.takeUpdate(at: story.now).counted == [:])
    }

    @Test func `a server without metrics of probes has no values of any age`() {
        var server = healthy()
        server.names = ["go_info"]
        var story = FleetStory([server])
        story.run(for: .seconds(8))
        let message = story.model.takeUpdate(at: story.now).servers[0].message(at: story.now)
        #expect(message?.contains("no metrics of probes") == true && message?.contains("values are") == false)
    }

    @Test func `a vantage point that stops is not an outage`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        // Prometheus marks its series as stale.
        let rest = story.servers[0].answers[Expression.all]?.filter { !$0.contains("fra") }
        story.servers[0].answers[Expression.all] = rest
        for time in [1_010, 1_110] {
            story.servers[0].answers[Expression.reports] = ["vantage=nyc \(time)", "vantage=sin \(time)"]
            story.run(for: .seconds(100))
        }
        #expect(story.health("Shop") == .up)
        #expect(story.verdict("Shop")?.silent.map(\.name) == ["fra"])
        #expect(story.transitions.count == 2)
    }

    @Test func `several servers are asked before a verdict`() {
        var (fra, nyc) = (Server(), Server())
        for (name, value) in [("fra", "0"), ("nyc", "1")] {
            var server = Server()
            server.answers[Expression.reports] = ["vantage=\(name) 1000"]
            server.answers[Expression.counts] = ["group=Web,vantage=\(name) 1"]
            server.answers[Expression.all] = ["target=Shop,group=Web,vantage=\(name) \(value)"]
            if name == "fra" {
                server.answers[Expression.failing] = [
                    "target=Shop,group=Web,health=down,reason=timeout,vantage=fra 990"
                ]
            }
            if name == "fra" { fra = server } else { nyc = server }
        }
        nyc.failure = .unreachable("refused")
        var story = FleetStory([fra, nyc])
        story.run(for: .seconds(1))
        // The other server does not answer: there is a verdict without it.
        #expect(story.health("Shop") == .down)

        nyc.failure = nil
        story = FleetStory([fra, nyc])
        story.run(for: .seconds(3))
        #expect(story.transitions == ["Shop: unknown→up"])
    }

    @Test func `without a label, each server is a vantage point by its name`() {
        var servers = [Server(), Server()]
        for index in servers.indices {
            servers[index].names = ["up"]
            servers[index].labels = ["instance", "job"]
            servers[index].answers["max by () (timestamp((up{})))"] = ["x=y 1000"]
            servers[index].answers["count by (job) (up{})"] = ["job=node 1"]
            servers[index].answers[
                "(up{} and timestamp(up{}) > time() - 150.0) or label_replace(scrape_duration_seconds{}, \"reach_part\", \"round_trip\", \"\", \"\")"
            ] = ["instance=a:9100,job=node 1"]
        }
        var story = FleetStory(servers)
        story.run(for: .seconds(3))
        #expect(story.verdict("a:9100")?.up.map(\.name) == ["p0", "p1"])
        #expect(story.roster.states.first?.target.group == "node")
    }

    @Test func `stale values judge nothing, and the server is named with the cause`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        story.servers[0].failure = .notJSON("HTML instead of JSON")
        story.run(for: .seconds(300))
        #expect(story.health("Shop") == .unknown)
        let server = story.model.takeUpdate(at: story.now).servers[0]
        #expect(server.problem == "HTML instead of JSON")
        #expect(server.message(at: story.now)?.contains("HTML instead of JSON – values are ") == true)
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1303", "vantage=nyc 1303", "vantage=sin 1303"]
        story.run(for: .seconds(40))
        #expect(story.health("Shop") == .up)
        #expect(story.model.takeUpdate(at: story.now).servers[0].problem == nil)
    }

    @Test func `when a server falls silent, its vantage points become stale together`() {
        var server = healthy()
        server.answers[Expression.reports] = ["vantage=fra 990", "vantage=nyc 1000", "vantage=sin 995"]
        server.answers[Expression.all] = [
            "target=Shop,vantage=fra 0", "target=Shop,vantage=nyc 0", "target=Shop,vantage=sin 1",
        ]
        server.answers[Expression.failing] = ["fra", "nyc"].map {
            "target=Shop,health=down,reason=timeout,vantage=\($0) 980"
        }
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(200))
        #expect(story.transitions == ["Shop: unknown→down", "Shop: down→unknown"])
    }

    @Test func `clocks that differ by minutes do no harm, and are reported`() {
        var server = healthy()
        server.ahead = 240
        server.answers[Expression.reports] = ["vantage=fra 1240", "vantage=nyc 1240", "vantage=sin 1240"]
        var story = FleetStory([server])
        story.run(for: .seconds(5))
        #expect(story.health("Shop") == .up)
        let state = story.model.takeUpdate(at: story.now).servers[0]
        #expect(state.clockAhead == .seconds(240))
        #expect(state.message(at: story.now) == "p0: its clock is 4m00s ahead of ours – check NTP")
    }

    @Test func `a rejected query is shown, and the others go on`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        #expect(story.model.takeUpdate(at: story.now).servers[0].problem == nil)
        var planner = QueryPlanner(PrometheusSettings(name: "p", url: "http://p"))
        var random = SystemRandomNumberGenerator()
        let query = planner.next(at: .zero)
        if let query { planner.fail(query, .rejected(type: "bad_data", "parse error"), at: .zero, using: &random) }
        #expect(planner.failure == nil)
        #expect(planner.rejections.values.map(\.text) == ["parse error (bad_data)"])
    }

    @Test func `hostile labels are one plain line each, and names stay unique`() {
        var server = healthy()
        server.answers[Expression.all] = ["target=A\u{1B}[31m,vantage=fra 1", "target=A\u{7}[31m,vantage=fra 1"]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        let names = story.roster.states.map(\.target.name)
        #expect(names.sorted() == ["A\u{FFFD}[31m", "A\u{FFFD}[31m (2)"])
    }

    @Test func `a target with the name of one that this program probes gets another name`() {
        var story = FleetStory([healthy()])
        story.run(for: .seconds(3))
        story.model.reserve(["Shop"])
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1003", "vantage=nyc 1003", "vantage=sin 1003"]
        story.run(for: .seconds(5))
        #expect(story.roster.states.map(\.target.name).sorted() == ["API", "Shop (2)"])
        #expect(story.health("Shop (2)") == .up)
    }

    @Test func `NaN is no verdict`() {
        var server = healthy()
        server.answers[Expression.all] = ["target=Shop,vantage=fra NaN"]
        var story = FleetStory([server])
        story.run(for: .seconds(3))
        #expect(story.health("Shop") == .unknown)
        #expect(story.verdict("Shop")?.undecided.map(\.name) == ["fra"])
    }
}
