import TestSupport
import Testing

@testable import Monitoring

/// What becomes of a target that cannot be probed.
@Suite struct FaultTests {
    private static let rules: [HookRule] = [.make(on: [.fault]), .make(on: [.change]), .make(on: [.up, .down])]

    private func events(_ outcomes: String, rules: [HookRule] = rules) -> [String] {
        var story = Story(.make(hooks: rules))
        story.hear(outcomes)
        return story.runs.map(\.occasion.event.rawValue)
    }

    @Test func `as many faults in a row as losses take a target down make it unknown, never down`() throws {
        var story = Story(.make(hooks: Self.rules))
        story.hear("r ff")
        #expect(story["NAS"]?.health == .up)
        story.hear("f")
        #expect(story["NAS"]?.health == .unknown)
        #expect(story["NAS"]?.since == .seconds(2))
        story.hear("ffffff")
        #expect(story.transitions == ["NAS: unknown→up", "NAS: up→unknown"])
        #expect(story.runs.map(\.occasion.event) == [.fault, .change])
        let run = try #require(story.runs.first)
        #expect(run.occasion.health == .unknown)
        #expect(run.occasion.transition?.reason == "permission")
        #expect(run.occasion.transition?.summary == "unknown after 3 faults: no permission")
        let environment = run.environment(wall: WallTime(start: .zero))
        #expect(environment.contains { $0 == ("REACH_REASON", "permission") })
        // The time in which nothing is known is neither up nor down.
        #expect(story["NAS"]?.availability(at: story.now) == 1)
        #expect(story["NAS"]?.totals.reachable == .seconds(1))
    }

    @Test func `an outcome between faults begins their count anew`() {
        var story = Story(.make())
        story.hear("r ff r ff t ff t ff")
        #expect(story["NAS"]?.health == .up)
    }

    @Test func `when it can be probed again, only what differs from before the faults is an event of its own`() {
        #expect(events("r fff r") == ["fault", "change", "change"])
        #expect(events("r fff ttt") == ["fault", "change", "change", "down"])
        #expect(events("r ttt fff r").suffix(4) == ["fault", "change", "change", "up"])
        #expect(events("r ttt fff ttt") == ["change", "down", "fault", "change", "change"])
        #expect(events("r fff r ttt r").suffix(4) == ["change", "down", "change", "up"])
    }

    @Test func `a target that never could be probed has no first verdict yet`() {
        #expect(events("fff") == [])
        #expect(events("fff r") == [])
        let atStart: [HookRule] = [.make(on: [.fault], firesAtStart: true), .make(on: [.up], firesAtStart: true)]
        #expect(events("fffff r", rules: atStart) == ["fault", "up"])
    }

    @Test func `after a pause it is a start again`() throws {
        var story = Story(.make(hooks: Self.rules))
        story.hear("r fff")
        let id = try #require(story["NAS"]).id
        story.take(story.roster.pause([id], at: story.now))
        story.take(story.roster.resume([id], at: story.now))
        story.hear("r")
        #expect(story.runs.map(\.occasion.event) == [.fault, .change])
    }

    @Test func `within counts an outage on over faults`() {
        for (within, runs) in [(6, 1), (5, 0)] {
            var story = Story(.make(hooks: [.make(within: .seconds(within))]))
            story.hear("r ttt fff r")
            #expect(story.now == .seconds(8))
            #expect(story.runs.count == runs, "\(within)")
        }
    }

    @Test func `children of a target that cannot be probed are judged by themselves`() {
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

    @Test func `an armed hook waits until it answers`() throws {
        var story = Story(.make())
        story.hear("r fff")
        let id = try #require(story["NAS"]).id
        story.take(story.roster.arm([id], action: .shell("mount"), at: story.now))
        #expect(story.runs.isEmpty)
        story.hear("r")
        #expect(story.runs.count == 1)
    }

    @Test func `faults and their end are no changes that flap`() {
        var story = Story(.make())
        for _ in 0..<20 { story.hear("r fff") }
        #expect(story["NAS"]?.isFlapping == false)
        #expect(story["NAS"]?.flapping == nil)
    }
}
