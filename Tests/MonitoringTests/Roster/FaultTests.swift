import TestSupport
import Testing

@testable import Monitoring

/// A target that cannot be probed.
@Suite struct FaultTests {
    private static let rules: [HookRule] = [.make(on: [.fault]), .make(on: [.change]), .make(on: [.up, .down])]

    private func events(_ outcomes: String, rules: [HookRule] = rules) -> [String] {
        var story = Story(.make(hooks: rules))
        story.hear(outcomes)
        return story.runs.map(\.context.event.rawValue)
    }

    @Test func `faults in a row make a target unknown, never down`() throws {
        var story = Story(.make(hooks: Self.rules))
        story.hear("r ff")
        #expect(story["NAS"]?.health == .up)
        story.hear("f")
        #expect(story["NAS"]?.health == .unknown)
        #expect(story["NAS"]?.since == .seconds(2))
        story.hear("ffffff")
        #expect(story.transitions == ["NAS: unknown→up", "NAS: up→unknown"])
        #expect(story.runs.map(\.context.event) == [.fault, .change])
        let run = try #require(story.runs.first)
        #expect(run.context.health == .unknown)
        #expect(run.context.transition?.reason == "permission")
        #expect(run.context.transition?.summary == "unknown after 3 faults: no permission")
        let environment = run.environment(wall: WallTime(start: .zero))
        #expect(environment.contains { $0 == ("REACH_REASON", "permission") })
        // Unknown time is neither up nor down.
        #expect(story["NAS"]?.availability(at: story.now) == 1)
        #expect(story["NAS"]?.totals.reachable == .seconds(1))
    }

    @Test func `an outcome between faults resets their count`() {
        var story = Story(.make())
        story.hear("r ff r ff t ff t ff")
        #expect(story["NAS"]?.health == .up)
    }

    @Test func `after faults, only a difference from before is a separate event`() {
        #expect(events("r fff r") == ["fault", "change", "change"])
        #expect(events("r fff ttt") == ["fault", "change", "change", "down"])
        #expect(events("r ttt fff r").suffix(4) == ["fault", "change", "change", "up"])
        #expect(events("r ttt fff ttt") == ["change", "down", "fault", "change", "change"])
        #expect(events("r fff r ttt r").suffix(4) == ["change", "down", "change", "up"])
    }

    @Test func `a target that was never probed has no verdict`() {
        #expect(events("fff") == [])
        #expect(events("fff r") == [])
        let atStart: [HookRule] = [.make(on: [.fault], firesAtStart: true), .make(on: [.up], firesAtStart: true)]
        #expect(events("fffff r", rules: atStart) == ["fault", "up"])
    }

    @Test func `a pause keeps the health before faults`() throws {
        var story = Story(.make(hooks: Self.rules))
        story.hear("r fff")
        let id = try #require(story["NAS"]).id
        story.take(story.roster.pause([id], at: story.now))
        story.take(story.roster.resume([id], at: story.now))
        story.hear("r")
        #expect(story.runs.map(\.context.event) == [.fault, .change, .change])
    }

    @Test func `within counts an outage across faults`() {
        for (within, runs) in [(6, 1), (5, 0)] {
            var story = Story(.make(hooks: [.make(within: .seconds(within))]))
            story.hear("r ttt fff r")
            #expect(story.now == .seconds(8))
            #expect(story.runs.count == runs, "\(within)")
        }
    }

    @Test func `children of a target that cannot be probed are judged independently`() {
        var child = Target.make("Child", fall: 1)
        child.dependsOn = [.target("NAS")]
        var story = Story(.make(), child)
        story.hear("r")
        story.hear("r", from: "Child")
        story.hear("ttt")
        #expect(story["Child"]?.isBlocked == true)
        story.hear("fff")
        #expect(story["NAS"]?.health == .unknown)
        #expect(story["Child"]?.isBlocked == false)
        story.hear("t", from: "Child")
        #expect(story["Child"]?.health == .down)
    }

    @Test func `an armed hook waits until the target replies`() throws {
        var story = Story(.make())
        story.hear("r fff")
        let id = try #require(story["NAS"]).id
        story.take(story.roster.arm([id], action: .shell("mount"), at: story.now))
        #expect(story.runs.isEmpty)
        story.hear("r")
        #expect(story.runs.count == 1)
    }

    @Test func `timeouts of earlier probes neither end a fault nor take the target down`() {
        var story = Story(.make())
        story.hear("r ff")
        story.hear(.timeout, sent: story.now - .seconds(3))
        story.hear("f")
        for _ in 0..<5 { story.hear(.timeout, sent: story.now - .seconds(3)) }
        #expect(story.transitions == ["NAS: unknown→up", "NAS: up→unknown"])
        #expect(story["NAS"]?.fault != nil)
        #expect(!story.others.contains { if case .faultCleared = $0 { true } else { false } })
        story.hear("ttt")
        #expect(story["NAS"]?.fault == nil && story["NAS"]?.health == .down)
    }

    @Test func `faults do not count toward flapping`() {
        var story = Story(.make())
        for _ in 0..<20 { story.hear("r fff") }
        #expect(story["NAS"]?.isFlapping == false)
        #expect(story["NAS"]?.flapping == nil)
    }
}
