import TestSupport
import Testing

@testable import ReachMonitoring

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
