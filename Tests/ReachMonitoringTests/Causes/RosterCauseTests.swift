import TestSupport
import Testing

@testable import ReachMonitoring

/// What the roster makes of outages that have something in common: one line that stands while it lasts, hooks that run
/// once for all, and hooks that leave out what is explained.
struct RosterCauseTests {
    private static let switches = ["10.0.0.1", "10.1.0.1"]

    /// Forty hosts behind one router, sixty behind others.
    private static func office(_ hooks: [HookRule] = []) -> CauseWorld {
        var hosts = CauseWorld.hosts(40, "desk", network: 1, behind: switches)
        for index in hosts.indices { hosts[index].hooks = hooks }
        hosts += (2...7).flatMap {
            CauseWorld.hosts(10, "net\($0)-", network: $0, behind: ["10.0.0.1", "10.\($0).0.1"])
        }
        var world = CauseWorld(hosts)
        world.run(60)
        return world
    }

    @Test func `a router dies under forty hosts, and returns`() {
        var world = Self.office()
        world.dead = ["10.1.0.1"]
        world.run(25)
        #expect(world.news == ["named: 40 down – 10.1.0.1 (40 of 40 behind it; 60 others up)"])
        let cause = world.roster.commonCauses.first
        #expect(cause?.explained == 40)
        #expect(world.roster[world.id("desk7")]?.commonCause == cause?.id)
        #expect(world.roster[world.id("net2-1")]?.commonCause == nil)
        #expect(world.roster.states.count { $0.commonCause != nil } == 40)
        world.dead = []
        world.run(15)
        #expect(world.news.dropFirst() == ["ended: 10.1.0.1: over, 40 were down"])
        #expect(world.roster.commonCauses.isEmpty)
        #expect(world.roster.states.allSatisfy { $0.commonCause == nil && $0.health == .up })
    }

    @Test func `the past has the cause while it lasted`() {
        var world = Self.office()
        world.dead = ["10.1.0.1"]
        world.run(25)
        let during = world.now
        world.dead = []
        world.run(30)
        let past = world.roster.rewound(to: during)
        #expect(past.commonCauses.map(\.place) == ["10.1.0.1"])
        #expect(past[world.id("desk1")]?.commonCause == past.commonCauses.first?.id)
        #expect(world.roster.rewound(to: .seconds(30)).commonCauses.isEmpty)
        #expect(world.roster.rewound(to: world.now).commonCauses.isEmpty)
    }

    @Test func `two routers die at once`() {
        var world = Self.office()
        world.dead = ["10.2.0.1", "10.5.0.1"]
        world.run(30)
        // The second one is failing when the first is named.
        let places = world.roster.commonCauses.map { "\($0.place): \($0.explained) of \($0.behind), \($0.othersUp)" }
        #expect(places.sorted() == ["10.2.0.1: 10 of 10, 80", "10.5.0.1: 10 of 10, 80"])
        #expect(world.news.count == 2)
    }

    @Test func `one of eight members of a group of equal routes`() {
        let members = (1...8).flatMap { member in
            CauseWorld.hosts(6, "m\(member)-", network: member, behind: ["10.0.0.1", "10.9.0.\(member)", "10.0.0.9"])
        }
        var world = CauseWorld(members)
        world.run(60)
        world.dead = ["10.9.0.3"]
        world.run(30)
        #expect(world.news == ["named: 6 down – 10.9.0.3 (6 of 6 behind it; 42 others up)"])
    }

    @Test func `a router that does not answer traces is known by its position`() {
        var hosts = CauseWorld.hosts(12, "a", network: 1, behind: ["10.0.0.1", "*x", "10.1.0.1"])
        hosts += (2...6).flatMap { CauseWorld.hosts(6, "b\($0)-", network: $0, behind: ["10.0.0.1", "10.\($0).0.1"]) }
        var world = CauseWorld(hosts)
        world.run(60)
        world.dead = ["*x"]
        world.run(30)
        #expect(
            world.news == [
                "named: 12 down – silent hop after 10.0.0.1 or 10.1.0.1 (12 of 12 behind it; 30 others up)"
            ]
        )
    }

    @Test func `an accused router that answers is none: what is behind it is named`() {
        // A switch behind the router dies: the router has no hosts of its own.
        var world = Self.office()
        world.off = Set(world.hosts.prefix(40).map(\.address))
        world.run(30)
        #expect(
            world.news == [
                "named: 40 down – behind 10.1.0.1, which answers (40 of 40 behind it; 60 others up)"
            ]
        )
    }

    @Test func `names that are not resolved`() {
        var hosts = (1...9).map {
            CauseWorld.Host(
                name: "web\($0)",
                address: "10.\($0).0.5",
                routers: ["10.0.0.1", "10.\($0).0.1"],
                url: "https://web\($0).example/"
            )
        }
        hosts += CauseWorld.hosts(20, "host", network: 50, behind: ["10.0.0.1", "10.50.0.1"])
        var world = CauseWorld(hosts)
        world.run(60)
        for number in 1...9 { world.failures["web\(number)"] = Failure(.resolverFailed) }
        world.run(30)
        #expect(world.news == ["named: 9 down – resolver of this machine (9 of 9 that use it; 20 others up)"])
    }

    /// Six sites that share a certificate, ten with their own of the same issuer, and five of another issuer.
    private static func shops() -> CauseWorld {
        let site = { (number: Int, name: String, issuer: String) in
            CauseWorld.Host(
                name: "site\(number)",
                address: "10.\(number).0.5",
                routers: ["10.0.0.1", "10.\(number).0.1"],
                url: "https://10.\(number).0.5/",
                certificate: CertificateIdentity(name: name, issuer: issuer)
            )
        }
        return CauseWorld(
            (1...6).map { site($0, "*.shop.example, serial 04a1", "R3") }
                + (7...16).map { site($0, "site\($0).example, serial 0\($0)", "R3") }
                + (17...21).map { site($0, "site\($0).example, serial 0\($0)", "E1") }
        )
    }

    @Test func `a certificate that six sites share expires`() {
        var world = Self.shops()
        world.run(60)
        let expired = Failure(.certificateExpired, detail: "expired less than 2 hours ago")
        for number in 1...6 { world.failures["site\(number)"] = expired }
        world.run(30)
        #expect(
            world.news == [
                "named: 6 down – certificate *.shop.example, serial 04a1 (6 of 6 that use it; 15 others up)"
            ]
        )
        world.failures = [:]
        world.run(30)
        #expect(world.news.last == "ended: certificate *.shop.example, serial 04a1: over, 6 were down")
    }

    @Test func `the issuer of certificates is no longer trusted`() {
        var world = Self.shops()
        world.run(60)
        for number in 1...16 { world.failures["site\(number)"] = Failure(.certificateUntrusted) }
        world.run(30)
        #expect(world.news == ["named: 16 down – issuer R3 (16 of 16 with its certificates; 5 others up)"])
    }

    @Test func `a certificate that is renewed is another risk`() {
        var world = Self.shops()
        world.run(60)
        var renewed = world.hosts.filter { ["site4", "site5", "site6"].contains($0.name) }
        for index in renewed.indices {
            renewed[index].certificate = CertificateIdentity(name: "*.shop.example, serial 04a2", issuer: "R3")
        }
        world.apply(adding: renewed, removing: ["site4", "site5", "site6"])
        world.run(60)
        for number in 1...3 { world.failures["site\(number)"] = Failure(.certificateExpired) }
        world.run(30)
        #expect(
            world.news == [
                "named: 3 down – certificate *.shop.example, serial 04a1 (3 of 3 that use it; 18 others up)"
            ]
        )
    }

    @Test func `the laptop leaves the house`() {
        var world = Self.office()
        world.dead = ["10.0.0.1"]
        world.run(30)
        // The first outages are seen seconds before the last ones: their routers are named, and then one before them all.
        #expect(world.roster.commonCauses.map(\.place) == ["10.0.0.1"])
        #expect(world.roster.commonCauses.map(\.explained) == [100])
        #expect(world.news.contains("moved: another place: 10.0.0.1 (100 of 100 behind it; no others up)"))
    }

    @Test func `outages that have nothing in common have no cause`() {
        var world = Self.office()
        world.off = ["10.1.3.5", "10.2.1.5", "10.3.2.5", "10.6.7.5"]
        world.run(60)
        #expect(world.news.isEmpty)
        #expect(world.roster.states.count { $0.health == .down } == 4)
    }

    @Test func `a cause ends while other outages last`() {
        var world = Self.office()
        world.off = ["10.2.1.5"]
        world.run(60)
        world.dead = ["10.1.0.1"]
        world.run(30)
        #expect(world.news == ["named: 40 down – 10.1.0.1 (40 of 40 behind it; 59 others up)"])
        world.dead = []
        // One of them stays down for a reason of its own.
        world.off.insert("10.1.1.5")
        world.run(30)
        #expect(world.news.dropFirst() == ["ended: 10.1.0.1: over, 40 were down"])
        #expect(world.roster[world.id("desk1")]?.health == .down)
        #expect(world.roster[world.id("desk1")]?.commonCause == nil)
    }

    @Test func `acknowledged and paused targets beside a cause`() {
        var world = Self.office()
        let paused = world.id("desk1")
        world.change { $0.pause([paused], at: $1) }
        world.dead = ["10.1.0.1"]
        world.run(30)
        #expect(world.news == ["named: 39 down – 10.1.0.1 (39 of 39 behind it; 60 others up)"])
        // An acknowledgement changes nothing.
        let known = world.id("desk2")
        world.change { $0.acknowledge([known], reason: "known", for: nil, at: $1) }
        world.run(5)
        #expect(world.roster.commonCauses.first?.explained == 39)
        // Paused, it is none of the explained ones any more.
        let third = world.id("desk3")
        world.change { $0.pause([third], at: $1) }
        world.run(5)
        #expect(world.roster.commonCauses.first?.explained == 38)
        world.change { $0.resume([paused, third], at: $1) }
        world.run(30)
        #expect(world.roster.commonCauses.first?.explained == 40)
        #expect(world.news.count { $0.hasPrefix("named") } == 1)
    }

    @Test func `blocked, in maintenance, and with a fault: a target says nothing`() {
        var settings = Settings(targets: [.make("NAS", dependsOn: [.link])])
        var roster = Roster()
        roster.findsCauses = true
        _ = roster.apply(settings, at: .zero)
        let id = roster.states[0].id
        var sequence = 0
        func hear(_ letters: String) {
            for outcome in Outcome.picture(letters) {
                sequence += 1
                let time = Duration.seconds(sequence)
                let observation = Observation(target: id, sequence: sequence, time: time, outcome: outcome)
                _ = roster.record([.observation(observation)])
            }
        }
        #expect(roster.states[0].targetCondition == .undecided)
        hear("r")
        #expect(roster.states[0].targetCondition == .up)
        hear("x")
        #expect(roster.states[0].targetCondition == .failing)
        hear("xx")
        #expect(roster.states[0].targetCondition == .down(since: .seconds(2), .refused))
        _ = roster.record([.link(isUp: false, at: .seconds(5))])
        #expect(roster.states[0].targetCondition == .undecided)
        _ = roster.record([.link(isUp: true, at: .seconds(6))])
        settings.maintenance = [MaintenanceWindow(name: nil, .once(.zero..<(.seconds(1_000))), for: .init())]
        _ = roster.apply(settings, at: .seconds(7))
        _ = roster.updateMaintenance(at: .seconds(7), wall: WallTime(start: .zero))
        #expect(roster.states[0].isInMaintenance && roster.states[0].targetCondition == .undecided)
        settings.maintenance = []
        _ = roster.apply(settings, at: .seconds(8))
        _ = roster.updateMaintenance(at: .seconds(8), wall: WallTime(start: .zero))
        sequence = 8
        hear("r")
        #expect(roster.states[0].targetCondition == .up)
        hear("f")
        #expect(roster.states[0].targetCondition == .undecided)
    }

    @Test func `a target that is added or removed during a cause`() {
        var world = Self.office()
        world.dead = ["10.1.0.1"]
        world.run(30)
        world.apply(adding: CauseWorld.hosts(1, "new", network: 99, behind: ["10.0.0.1", "10.2.0.1"]))
        world.run(30)
        #expect(world.roster.commonCauses.map(\.explained) == [40])
        #expect(world.roster.commonCauses.map(\.othersUp) == [61])
        world.apply(removing: ["desk1"])
        world.run(1)
        #expect(world.roster.commonCauses.map(\.explained) == [39])
    }

    @Test func `without the search, nothing is kept`() {
        var roster = Roster()
        #expect(!roster.findsCauses)
        _ = roster.apply(Settings(targets: [.make("a")]), at: .zero)
        #expect(roster.causes == nil)
        #expect(roster.commonCauses.isEmpty)
        #expect(roster.nextExpiry == nil)
    }
}

/// Hooks of causes, and hooks that leave out outages that a cause explains.
struct CauseHookTests {
    private static func hosts(_ rules: [HookRule]) -> [CauseWorld.Host] {
        var hosts = CauseWorld.hosts(12, "a", network: 1, behind: ["10.0.0.1", "10.1.0.1"])
        for network in 2...6 {
            hosts += CauseWorld.hosts(6, "b\(network)-", network: network, behind: ["10.0.0.1", "10.\(network).0.1"])
        }
        for index in hosts.indices { hosts[index].hooks = rules }
        return hosts
    }

    private static func world(_ rules: [HookRule]) -> CauseWorld {
        var world = CauseWorld(hosts(rules))
        world.run(60)
        return world
    }

    @Test func `a rule on a cause runs once for all targets`() throws {
        var world = Self.world([.make(on: [.cause]), .make(on: [.causeEnd], "end")])
        world.dead = ["10.1.0.1"]
        world.run(30)
        #expect(world.runs.map(\.context.event) == [.cause])
        let environment = try #require(world.runs.first?.environment(wall: WallTime(start: .zero)))
        let values = Dictionary(environment.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(values["REACH_CAUSE"] == "10.1.0.1")
        #expect(values["REACH_CAUSE_COUNT"] == "12")
        #expect(values["REACH_EVENT"] == "cause")
        world.dead = []
        world.run(30)
        #expect(world.runs.map(\.context.event) == [.cause, .causeEnd])
        #expect(world.runs.last?.context.commonCause?.explained == 12)
    }

    @Test func `a cause that is found at the start runs a rule only with at_start`() {
        var always = HookRule.make(on: [.cause, .causeEnd], "always")
        always.firesAtStart = true
        var hosts = Self.hosts([.make(on: [.cause, .causeEnd]), always])
        // Nothing is known about the paths at the start.
        for index in 0..<12 { hosts[index].group = "A" }
        var world = CauseWorld(hosts, dead: ["10.1.0.1"])
        world.run(60)
        #expect(world.news.contains { $0.hasPrefix("named: 12 down – group A") })
        #expect(world.runs.map(\.rule.firesAtStart) == [true])
        world.dead = []
        world.run(40)
        #expect(world.runs.map(\.rule.firesAtStart) == [true, true])
    }

    @Test func `a rule on a cause keeps its cooldown over all targets`() {
        var world = Self.world([.make(on: [.cause], cooldown: .seconds(600))])
        world.dead = ["10.1.0.1"]
        world.run(30)
        world.dead = []
        world.run(30)
        world.dead = ["10.2.0.1"]
        world.run(30)
        #expect(world.news.count { $0.hasPrefix("named") } == 2)
        #expect(world.runs.map(\.context.event) == [.cause])
    }

    @Test func `a rule that runs once is disarmed for all targets`() throws {
        var rule = HookRule.make(on: [.cause])
        rule.isOnce = true
        var world = Self.world([rule])
        world.dead = ["10.1.0.1"]
        world.run(30)
        let run = try #require(world.runs.first)
        world.change { roster, _ in
            roster.record(.finished(run, HookResult(status: .exited(0), duration: .seconds(1))))
            return Consequences()
        }
        world.dead = ["10.1.0.1", "10.2.0.1"]
        world.run(40)
        #expect(world.news.count { $0.hasPrefix("named") } == 2)
        #expect(world.runs.count == 1)
    }

    @Test func `a rule leaves out what is explained, and others do not`() {
        var rule = HookRule.make(on: [.down, .up])
        rule.skipsExplained = true
        var world = Self.world([rule, .make(on: [.down], "other")])
        // An outage of its own, long before.
        world.off = ["10.2.1.5"]
        world.run(40)
        #expect(world.runs.map(\.rule.skipsExplained).sorted { !$0 && $1 } == [false, true])
        #expect(world.runs.allSatisfy { $0.context.name == "b2-1" })
        world.dead = ["10.1.0.1"]
        world.run(40)
        #expect(world.runs.count { !$0.rule.skipsExplained } == 13)
        #expect(world.runs.count { $0.rule.skipsExplained } == 1)
        world.dead = []
        world.run(40)
        // Neither the outages nor the recoveries are reported.
        #expect(world.runs.count { $0.rule.skipsExplained } == 1)
        world.off = []
        world.run(20)
        #expect(world.runs.filter(\.rule.skipsExplained).map(\.context.event) == [.down, .up])
    }

    @Test func `what stays down after the cause is reported then`() {
        var rule = HookRule.make(on: [.down])
        rule.skipsExplained = true
        var world = Self.world([rule])
        world.dead = ["10.1.0.1"]
        world.run(30)
        #expect(world.runs.isEmpty)
        world.dead = []
        world.off = ["10.1.4.5"]
        world.run(30)
        #expect(world.runs.map(\.context.name) == ["a4"])
    }

    @Test func `a single outage is reported after the time in which others of its cause would be seen`() throws {
        var rule = HookRule.make(on: [.down])
        rule.skipsExplained = true
        var world = Self.world([rule])
        world.off = ["10.3.2.5"]
        world.run(40)
        let run = try #require(world.runs.first)
        let verdict = try #require(
            world.events.first { if case .transition(let change) = $0.kind { change.to == .down } else { false } }
        )
        #expect(world.runs.count == 1)
        let began = try #require(run.context.transition?.began)
        #expect(run.context.time >= began + .seconds(12))
        #expect(run.context.time <= began + .seconds(13))
        #expect(verdict.time < run.context.time)
    }
}
