import TestSupport
import Testing

@testable import ReachMonitoring

/// The vantage points of a target: names of any kind, limits, and how the roster treats a target that no prober probes.
@Suite struct VantagePointTests {
    private func target() -> Target {
        Target(name: "Shop", question: .fleet(FleetQuestion(instance: "shop:443")))
    }

    private func report(_ name: String, _ health: Health? = .up, at time: Duration = .zero) -> VantageReport {
        VantageReport(vantagePoint: name, health: health, sampled: time, time: time)
    }

    @Test(arguments: [
        ("fra", "fra"), ("  fra ", "fra"), ("", "default"), ("   ", "default"), ("eu west", "eu west"), ("東京", "東京"),
        ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb"), ("a\nb\u{0}", "a\u{FFFD}b\u{FFFD}"),
        ("a\u{202E}b\u{2066}", "a\u{FFFD}b\u{FFFD}"),
        ("a\u{2028}b", "a\u{FFFD}b"), ("a\u{85}b", "a\u{FFFD}b"), ("👩‍💻", "👩‍💻"),
        (String(repeating: "x", count: 5_000), String(repeating: "x", count: 100)),
    ])
    func `a name is one line of limited length`(label: String, name: String) {
        #expect(report(label).vantagePoint == name)
    }

    @Test func `an instance of any text makes a target`() {
        let question = FleetQuestion(instance: "\u{202E}\u{7}" + String(repeating: "é", count: 900))
        #expect(question.instance.unicodeScalars.count == 500)
        #expect(question.instance.hasPrefix("\u{FFFD}\u{FFFD}é"))
        #expect(FleetQuestion(instance: "").instance == "unnamed")
        #expect(Question.fleet(question).url == "fleet:\(question.instance)")
    }

    @Test(
        arguments: [
            ("https://shop.example.com/health?x=1", "shop.example.com", nil), ("db:5432", "db", 5_432),
            ("http://user:secret@[2001:db8::1]:8080/", "2001:db8::1", 8_080), ("192.0.2.1", "192.0.2.1", nil),
            ("any text", nil, nil), ("", "unnamed", nil), ("db:5432:x", nil, nil),
        ] as [(String, String?, UInt16?)]
    )
    func `the host and the port are those of the instance, if it has any`(
        instance: String,
        host: String?,
        port: UInt16?
    ) {
        let question = Question.fleet(FleetQuestion(instance: instance))
        #expect(question.host == host)
        #expect(question.port == port)
    }

    @Test func `a URL of the settings cannot be one of the fleet`() {
        for text in ["fleet:shop", "fleet://shop", "FLEET://shop:1"] {
            #expect(throws: URLProblem.fleet) { try Question(text) }
        }
        #expect(!URLProblem.unknown(scheme: "xyz").description.contains("fleet"))
    }

    @Test func `of more vantage points than the capacity, those with the newest samples stay`() {
        let names = (0..<300).map { "p\($0)" }
        var generator = TestSupport.SplitMix(seed: 3)
        let reports = names.enumerated().map { report($1, at: .seconds($0)) }
        for _ in 0..<3 {
            var points = VantagePoints()
            for report in reports.shuffled(using: &generator) {
                _ = points.record([report], at: .seconds(300), staleAfter: .seconds(1_000))
            }
            #expect(points.points.map(\.name) == names.suffix(VantagePoints.capacity).sorted())
        }
    }

    @Test func `a directory has a limited number of vantage points`() {
        var directory = VantageDirectory()
        for number in 0..<3_000 { directory.replace([], with: [VantagePoint(report("p\(number)"))]) }
        directory.recordReporting((0..<3_000).map { "p\($0)" }, at: .zero)
        #expect(directory.summaries.count == VantageDirectory.capacity)
        #expect(directory.lastReports.count == VantageDirectory.capacity)
    }

    @Test func `a report of the future is one of now`() throws {
        var points = VantagePoints()
        _ = points.record([report("fra", at: .seconds(500))], at: .seconds(10), staleAfter: .seconds(60))
        #expect(points["fra"]?.time == .seconds(10))
    }

    @Test func `a server whose clock is set back is believed once its samples are stale`() throws {
        var points = VantagePoints()
        let limit = Duration.seconds(60)
        let report = { (health: Health, sampled: Int, time: Int) in
            VantageReport(vantagePoint: "fra", health: health, sampled: .seconds(sampled), time: .seconds(time))
        }
        _ = points.record([report(.up, 1_000, 10)], at: .seconds(10), staleAfter: limit)
        _ = points.record([report(.down, 700, 25)], at: .seconds(25), staleAfter: limit)
        #expect(points["fra"]?.health == .up)
        _ = points.record([report(.down, 760, 85)], at: .seconds(85), staleAfter: limit)
        #expect(points["fra"]?.health == .down)
        #expect(points["fra"]?.isReporting == true)
    }

    @Test func `no prober is asked for a target of the fleet`() throws {
        var roster = Roster()
        let local = Target.make("NAS", dependsOn: [.target("Shop")], fall: 1)
        var requests = roster.apply(Settings(targets: [target(), local]), at: .zero).requests
        let (shop, nas) = (roster.states[0].id, roster.states[1].id)
        #expect(roster.assignments.map(\.id) == [nas])
        func take(_ consequences: Consequences) { requests += consequences.requests }
        take(roster.record([.vantageReports(shop, [report("fra")], at: .seconds(1))]))
        take(roster.record([.vantageReports(shop, [report("fra", .down, at: .seconds(2))], at: .seconds(2))]))
        #expect(roster[nas]?.isBlocked == true)
        take(roster.record([.vantageReports(shop, [report("fra", at: .seconds(3))], at: .seconds(3))]))
        take(roster.pause([shop], at: .seconds(4)))
        take(roster.resume([shop], at: .seconds(5)))
        take(roster.expire(at: .seconds(500)))
        let loss = Observation(target: nas, sequence: 1, time: .seconds(501), outcome: .timeout)
        take(roster.record([.observation(loss)]))
        #expect(roster[nas]?.health == .down, "its verdict does not wait for a target that cannot be probed")
        for request in requests {
            switch request {
            case .watch(let assignments): #expect(!assignments.contains { $0.id == shop })
            case .now(let ids): #expect(!ids.contains(shop))
            case .pace(let id, _, _): #expect(id != shop)
            // A target that a prober does not know can be forgotten.
            case .forget: break
            }
        }
    }

    @Test func `the verdicts are observations for those that keep them`() throws {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [target()]), at: .zero)
        let id = roster.states[0].id
        let up = roster.record([.vantageReports(id, [report("fra", at: .seconds(4))], at: .seconds(5))])
        #expect(up.observations.map(\.outcome) == [.reply(Reply(roundTrip: nil))])
        let down = roster.record([.vantageReports(id, [report("fra", .down, at: .seconds(8))], at: .seconds(9))])
        #expect(down.observations.map(\.sent) == [.seconds(8)])
        #expect(down.observations.map(\.outcome) == [.failure(Failure(.quorum, detail: "from fra"))])
        let same = roster.record([.vantageReports(id, [report("fra", .down, at: .seconds(8))], at: .seconds(12))])
        #expect(same.observations == [])
        #expect(roster[id]?.since == .seconds(8))
        #expect(roster[id]?.history.count == 2)
        guard case .transition(let transition)? = down.events.first?.kind else {
            Issue.record("no transition")
            return
        }
        #expect(transition.summary == "down from fra")
    }

    @Test func `a past time shows what the vantage points said then`() throws {
        var roster = Roster(keepsPast: true)
        _ = roster.apply(Settings(targets: [target()]), at: .zero)
        let id = roster.states[0].id
        let first = ["fra", "nyc"].map { report($0, at: .seconds(1)) }
        _ = roster.record([.vantageReports(id, first, at: .seconds(1))])
        _ = roster.record([.vantageReports(id, [report("nyc", .down, at: .seconds(20))], at: .seconds(20))])
        let past = roster.rewound(to: .seconds(10))
        #expect(past[id]?.vantagePoints?.points.map(\.health) == [.up, .up])
        #expect(past.states.healthCounts.disputed == 0)
        #expect(roster.states.healthCounts.disputed == 1)
        #expect(past.vantage.summaries["nyc"]?.up == 1)
        #expect(roster.vantage.summaries["nyc"]?.down == 1)
    }

    @Test func `hooks get the vantage points in variables`() throws {
        var roster = Roster()
        var shop = target()
        shop.hooks = [.make(on: [.down])]
        _ = roster.apply(Settings(targets: [shop]), at: .zero)
        let id = roster.states[0].id
        let first = ["fra", "nyc", "a,b", "sin"].map { report($0, at: .seconds(1)) }
        _ = roster.record([.vantageReports(id, first, at: .seconds(1))])
        let second = [("fra", Health.down), ("nyc", .down), ("sin", nil)].map { report($0, $1, at: .seconds(2)) }
        let runs = roster.record([.vantageReports(id, second, at: .seconds(2))]).runs
        let context = try #require(runs.first?.context)
        let variables = context.environment(wall: WallTime(start: .zero))
        let environment = Dictionary(uniqueKeysWithValues: variables.map { ($0.name, $0.value) })
        #expect(environment["REACH_VANTAGE_DOWN"] == "fra,nyc")
        #expect(environment["REACH_VANTAGE_UP"] == "a_b")
        #expect(environment["REACH_VANTAGE_SILENT"] == "sin")
        #expect(environment["REACH_VANTAGE_DEGRADED"] == "")
        #expect(environment["REACH_REASON"] == "quorum")
        #expect(environment["REACH_URL"] == "fleet:shop:443")
        #expect(Set(environment.keys).isSubset(of: Webhook.fields))
    }
}

/// The rule of how many vantage points must agree.
@Suite struct QuorumTests {
    @Test(arguments: [
        (Quorum.majority, [nil, 1, 2, 2, 3, 3, 4]),
        (.all, [nil, 1, 2, 3, 4, 5, 6]),
        (.any, [nil, 1, 1, 1, 1, 1, 1]),
        (.count(1), [nil, 1, 1, 1, 1, 1, 1]),
        (.count(3), [nil, nil, nil, 3, 3, 3, 3]),
    ])
    func `the number needed follows from the number that report`(quorum: Quorum, needed: [Int?]) {
        for (voters, expected) in needed.enumerated() { #expect(quorum.needed(of: voters) == expected, "\(voters)") }
    }

    @Test func `a quorum is written as it is read`() {
        for text in ["majority", "all", "any", "1", "2", "128"] { #expect(Quorum(text)?.settingsText == text) }
        for text in ["", "0", "-1", "129", "1.5", "most", "Majority", " 2"] { #expect(Quorum(text) == nil, "\(text)") }
    }
}
