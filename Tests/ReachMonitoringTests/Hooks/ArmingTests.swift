import ReachMonitoring
import TestSupport
import Testing

/// Armed hooks: each runs once, when its target is reachable.
@Suite struct ArmingTests {
    private let mount = HookAction.shell("mount /mnt/nas")

    @Test func `an armed hook of a reachable target runs at once`() throws {
        var story = Story(.make())
        story.hear("r")
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.arm([nas], action: mount, at: story.now))
        #expect(story.runNames == ["NAS: up"])
        #expect(story["NAS"]?.armed == [])
        #expect(story.runs.first?.context.trigger == .user)
        story.hear("ttt r")
        #expect(story.runs.count == 1)
    }

    @Test(arguments: [
        ("r", "reachable within the limit: runs once", ["NAS: up"]),
        ("ttt tt r ttt r", "down at the start and reachable within the limit: runs once", ["NAS: up"]),
        ("ttt ttttttt r", "reachable exactly at the limit: runs", ["NAS: up"]),
        ("ttt tttttttt r", "reachable only after the limit: never runs", []),
    ])
    func `an armed hook runs once if the target is reachable in time`(
        outcomes: String,
        name: String,
        runs: [String]
    ) throws {
        var story = Story(.make())
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.arm([nas], action: mount, within: .seconds(11), at: .zero))
        story.hear(outcomes)
        #expect(story.runNames == runs, "\(name)")
        #expect(story["NAS"]?.armed == [])
    }

    @Test func `a disarmed hook never runs`() throws {
        var story = Story(.make())
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.arm([nas], action: mount, at: .zero))
        let hook = try #require(story["NAS"]?.armed.first)
        story.take(story.roster.disarm(hook.id, at: story.now))
        story.hear("r ttt r")
        #expect(story.runs == [])
        #expect(story.others.map(\.kind) == [.armed(hook), .disarmed(hook, of: "NAS", .disarmed)])
    }

    @Test func `an obsolete run arms its hook again, an obsolete retry does not`() throws {
        var story = Story(.make())
        let id = try #require(story["NAS"]).id
        let request = HookAction.request(Webhook(url: "https://example.net/hook"))
        story.take(story.roster.arm([id], action: request, at: story.now))
        story.hear("r")
        let run = try #require(story.runs.last)
        story.roster.record(.dropped(try #require(run.retry), .obsolete))
        #expect(story["NAS"]?.armed == [])
        story.roster.record(.dropped(run, .obsolete))
        #expect(story["NAS"]?.armed == [try #require(run.armed)])
    }

    @Test func `disarming a started hook does not stop it`() throws {
        var story = Story(.make())
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.arm([nas], action: mount, at: .zero))
        let hook = try #require(story["NAS"]?.armed.first)
        story.hear("r")
        #expect(story.roster.disarm(hook.id, at: story.now) == Consequences())
        #expect(story.runNames == ["NAS: up"])
        #expect(story.runs.first?.armed == hook)
    }

    @Test func `armed hooks are independent of each other`() throws {
        var story = Story(.make(hooks: [.make()]), .make("Web"))
        let ids = story.roster.states.map(\.id)
        story.take(story.roster.arm(ids, action: mount, at: .zero))
        story.take(story.roster.arm(ids, action: mount, within: .seconds(2), at: .zero))
        story.take(story.roster.arm([ids[0]], action: .shell("second"), at: .zero))
        let second = try #require(story["NAS"]?.armed[1])
        story.take(story.roster.disarm(second.id, at: story.now))
        story.hear("ttt r")
        #expect(story.runs.map { "\($0.rule.action)" } == ["mount /mnt/nas", "mount /mnt/nas", "second"])
        #expect(story["Web"]?.armed.count == 2)
        story.wait(.seconds(10))
        story.hear("r", from: "Web")
        #expect(story.runNames.last == "Web: up")
        #expect(story.runs.count == 4)
    }

    @Test func `an expired hook is reported`() throws {
        var story = Story(.make())
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.arm([nas], action: mount, within: .seconds(5), at: .zero))
        let hook = try #require(story["NAS"]?.armed.first)
        #expect(story.roster.expire(at: .seconds(5)) == Consequences())
        story.take(story.roster.expire(at: .seconds(6)))
        #expect(story.others.last?.kind == .disarmed(hook, of: "NAS", .expired(within: .seconds(5))))
        #expect(story["NAS"]?.armed == [])
    }

    @Test func `an armed hook survives a reload that keeps its target`() throws {
        var story = Story(.make(), .make("Web"))
        let ids = story.roster.states.map(\.id)
        story.take(story.roster.arm(ids, action: mount, at: .zero))
        let lost = try #require(story["Web"]?.armed.first)
        story.take(story.roster.apply(Settings(targets: [.make(fall: 1, hooks: [.make()])]), at: story.now))
        #expect(story["NAS"]?.armed.count == 1)
        #expect(story.others.last?.kind == .disarmed(lost, of: "Web", .targetGone))
    }

    @Test func `a test runs each rule and changes no state`() throws {
        let rules: [HookRule] = [.make(isOnce: true), .make(on: [.down], "alarm", cooldown: .seconds(600))]
        var story = Story(.make(hooks: rules))
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.test(nas, at: .zero))
        #expect(story.runNames == ["NAS: test", "NAS: test"])
        for run in story.runs { story.end(run, .exited(0)) }
        story.hear("r ttt r")
        #expect(story.runNames == ["NAS: test", "NAS: test", "NAS: down", "NAS: up"])
    }

    @Test func `a test of a target without hooks is reported`() throws {
        var story = Story(.make())
        let nas = try #require(story["NAS"]?.id)
        story.take(story.roster.test(nas, at: .zero))
        #expect(story.runs == [])
        #expect(story.others == [RosterEvent(.hooksMissing, of: [nas], at: story.now)])
    }
}
