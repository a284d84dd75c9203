import TestSupport
import Testing

@testable import ReachMonitoring

/// Hooks that run in another process with the same settings.
@Suite struct HookOwnerTests {
    private func follower(_ rules: HookRule...) -> Story {
        var story = Story(.make(hooks: rules))
        story.roster.runsHooks = false
        return story
    }

    private func skips(of story: Story) -> Int {
        story.others.count { if case .hookSkipped = $0.kind { true } else { false } }
    }

    @Test func `no hook runs, and none is reported as skipped`() {
        let rule = HookRule.make(on: [.down], cooldown: .seconds(600))
        var story = follower(rule, .make(within: .seconds(1)), .make(minDown: .seconds(60)))
        story.hear("r ttt r ttt r")
        #expect(story.runs.isEmpty && skips(of: story) == 0)
    }

    @Test func `after the takeover, the next change runs hooks`() {
        var story = follower(.make(on: [.down, .up]))
        story.hear("r ttt")
        story.roster.runsHooks = true
        #expect(story.runs.isEmpty)
        story.hear("r ttt")
        #expect(story.runNames == ["NAS: up", "NAS: down"])
    }

    @Test func `a cooldown that began in the other process goes on, and its end reports the present health`() {
        var story = follower(.make(on: [.change], cooldown: .seconds(60)))
        story.hear("r ttt")
        story.roster.runsHooks = true
        story.hear("r")
        #expect(story.runs.isEmpty && skips(of: story) == 1)
        story.wait(.seconds(61))
        story.take(story.roster.expire(at: story.now))
        #expect(story.runNames == ["NAS: change"])
    }

    @Test func `a report at the end of a cooldown is not made twice`() {
        var story = follower(.make(on: [.change], cooldown: .seconds(60)))
        story.hear("r ttt r")
        #expect(story.roster.nextExpiry != nil)
        story.wait(.seconds(61))
        story.take(story.roster.expire(at: story.now))
        story.roster.runsHooks = true
        #expect(story.runs.isEmpty && story.roster.nextExpiry == nil)
        story.take(story.roster.expire(at: story.now))
        #expect(story.runs.isEmpty)
    }

    @Test func `a hook that ran once in the other process does not run again`() {
        var story = follower(.make(on: [.down], isOnce: true))
        story.hear("r ttt r")
        story.roster.runsHooks = true
        story.hear("ttt")
        #expect(story.runs.isEmpty)
    }

    @Test func `armed commands and tests run here`() throws {
        var story = follower(.make())
        let id = try #require(story["NAS"]?.id)
        story.hear("r ttt")
        story.take(story.roster.arm([id], action: .shell("here"), at: story.now))
        story.hear("r")
        story.take(story.roster.test(id, at: story.now))
        #expect(story.runs.map(\.rule.action) == [.shell("here"), .shell("mount /mnt/nas")])
    }

    @Test func `messages name the process`() {
        let other = HookOwner.process(42)
        #expect(
            other.message(after: nil)?.hasPrefix("reach already runs here (process 42): it runs the hooks – ") == true
        )
        #expect(HookOwner.process(nil).message(after: nil)?.hasPrefix("reach already runs here: it runs") == true)
        #expect(HookOwner.thisProcess.message(after: other) == "hooks: this process runs them now")
        #expect(other.message(after: .thisProcess) == "hooks: process 42 runs them now")
        #expect(HookOwner.process(43).message(after: other) == "hooks: process 43 runs them now")
        #expect(HookOwner.thisProcess.message(after: nil) == nil && other.message(after: other) == nil)
        #expect(HookOwner.disabled.message(after: nil) == nil)
        #expect(HookOwner.unknown("cannot lock x").message(after: nil)?.hasPrefix("hooks: cannot lock x – ") == true)
    }
}
