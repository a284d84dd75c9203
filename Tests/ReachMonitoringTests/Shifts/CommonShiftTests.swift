import TestSupport
import Testing

@testable import ReachMonitoring

/// Levels of several targets that change together: one line names what they have in common.
struct CommonShiftTests {
    /// Ten targets behind one hop, twenty behind others.
    private static func world() -> CauseWorld {
        var hosts = CauseWorld.hosts(10, "a", network: 1, behind: ["10.0.0.1", "10.1.0.1"])
        hosts += (2...5).flatMap { CauseWorld.hosts(5, "n\($0)-", network: $0, behind: ["10.0.0.1", "10.\($0).0.1"]) }
        var world = CauseWorld(hosts)
        world.run(330)
        return world
    }

    private static func changes(_ world: CauseWorld) -> [ShiftNews] {
        world.events.compactMap { event in
            if case .shift(let news) = event.kind { news } else { nil }
        }
    }

    @Test func `ten targets behind one hop step together, and return`() {
        var world = Self.world()
        world.delays["10.1.0.1"] = .milliseconds(26)
        world.run(200)
        #expect(
            world.commonShifts == ["latency rose at 10 targets – 10.1.0.1 (10 of 10 behind it; 20 others unchanged)"]
        )
        #expect(Self.changes(world).count == 11)
        let shift = world.roster[world.id("a7")]?.levelShift
        #expect(shift?.reason == "with 9 others: 10.1.0.1")
        world.delays = [:]
        world.run(200)
        #expect(
            world.commonShifts.dropFirst() == [
                "latency is as before at 10 targets – 10.1.0.1 (10 of 10 behind it; 20 others unchanged)"
            ]
        )
        #expect(world.roster.states.allSatisfy { $0.health == .up && $0.commonCause == nil })
    }

    @Test func `single targets have nothing in common`() {
        var world = Self.world()
        world.delays = ["10.1.3.5": .milliseconds(20), "10.2.1.5": .milliseconds(30)]
        world.run(100)
        world.delays["10.4.2.5"] = .milliseconds(20)
        world.run(200)
        #expect(Self.changes(world).count == 3)
        #expect(world.commonShifts.isEmpty)
    }

    @Test func `one of a few with an unchanged half names nothing`() {
        var world = Self.world()
        for index in 1...5 { world.delays["10.1.\(index).5"] = .milliseconds(20) }
        world.run(250)
        #expect(Self.changes(world).count == 5)
        #expect(world.commonShifts.isEmpty)
    }
}

/// A shift, and another router on the path at about the same time.
struct ShiftPathTests {
    private static func completion(_ hops: [String], started: Duration) -> PathFinding {
        let end = PathEnd.reached(hop: hops.count, address: hops.last ?? "")
        return .traced(PathCompletion(cause: .refresh, end: end, started: started, probes: 3, hops: hops))
    }

    private static let before = ["10.0.0.1", "10.1.0.1", "192.0.2.7"]
    private static let after = ["10.0.0.1", "10.9.0.1", "192.0.2.7"]
    private static let change = PathChange(hop: 2, flow: 0, before: "10.1.0.1", after: "10.9.0.1")

    private static func world() -> ShiftWorld {
        var world = ShiftWorld([ShiftWorld.target("NAS") { $0.path = PathSettings() }])
        world.run(60)
        world.trace(completion(before, started: world.now))
        world.run(10)
        return world
    }

    @Test func `a change of the path before the shift is certain is its reason`() {
        var world = Self.world()
        world.levels["NAS"] = 38
        world.run(1)
        world.trace(.changed(Self.change))
        world.run(20)
        #expect(world.news == ["NAS: latency rose from 12 to 38ms, since hop 2 changed"])
    }

    @Test func `a shift asks for a trace, which adds the reason`() {
        var world = Self.world()
        let asked = world.orders.count
        world.levels["NAS"] = 38
        world.run(20)
        #expect(world.news == ["NAS: latency rose from 12 to 38ms"])
        #expect(world.orders.dropFirst(asked).contains { if case .soon = $0 { true } else { false } })
        world.trace(Self.completion(Self.after, started: world.now))
        world.run(60)
        world.trace(.changed(Self.change))
        #expect(world["NAS"]?.levelShift?.reason == "since hop 2 changed")
    }

    @Test func `a change long before or after is none`() {
        for delay in [-300, 300] {
            var world = Self.world()
            if delay < 0 {
                world.trace(.changed(Self.change))
                world.trace(Self.completion(Self.after, started: world.now))
                world.run(-delay)
            }
            world.levels["NAS"] = 38
            world.run(30)
            world.trace(Self.completion(delay < 0 ? Self.after : Self.before, started: world.now))
            world.run(max(0, delay))
            if delay > 0 {
                world.trace(Self.completion(Self.after, started: world.now))
                world.trace(.changed(Self.change))
            }
            #expect(world.news.count == 1)
            #expect(world["NAS"]?.levelShift != nil)
            #expect(world["NAS"]?.levelShift?.reason == nil, "\(delay)")
        }
    }
}
