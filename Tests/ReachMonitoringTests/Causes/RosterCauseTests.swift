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

    @Test func `the gateway is the cause if nothing answers any more`() {
        var hosts = CauseWorld.hosts(20, "a", network: 1, behind: ["10.0.0.1", "10.1.0.1"])
        hosts += CauseWorld.hosts(15, "b", network: 2, behind: ["10.0.0.1", "10.2.0.1"])
        var world = CauseWorld(hosts, gateways: ["10.0.0.1"])
        world.run(60)
        world.dead = ["10.0.0.1"]
        world.run(40)
        #expect(world.roster.commonCauses.map(\.place) == ["gateway 10.0.0.1"])
        #expect(world.roster.commonCauses.map(\.explained) == [35])
    }

    @Test func `a silent router behind the gateway is named, and not the gateway that answers`() {
        var hosts = CauseWorld.hosts(20, "a", network: 1, behind: ["10.0.0.1", "*x", "10.1.0.1"])
        hosts += CauseWorld.hosts(15, "b", network: 2, behind: ["10.0.0.1", "*x", "10.2.0.1"])
        var world = CauseWorld(hosts, gateways: ["10.0.0.1"])
        world.run(60)
        world.dead = ["*x"]
        world.run(40)
        #expect(world.roster.commonCauses.map(\.place) == ["silent hop after 10.0.0.1"])
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
