import TestSupport
import Testing

@testable import ReachMonitoring

/// When an outage begins and ends.
@Suite struct OutageTests {
    /// Replies once a second, then three timeouts of a second each. The first lost probe was sent at 3 s.
    private func outage(rise: Int = 1, hooks: [HookRule] = []) -> Story {
        var story = Story(.make(rise: rise, hooks: hooks))
        story.hear("rr")
        for sent in 3...5 {
            story.wait(.seconds(sent + 1) - story.now)
            story.hear(.timeout, sent: .seconds(sent))
        }
        return story
    }

    @Test func `an outage begins when its first lost probe was sent`() {
        let story = outage()
        #expect(story.now == .seconds(6))
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.since == .seconds(3))
    }

    @Test func `an outage ends with the first reply of the recovery`() throws {
        var story = outage(rise: 3, hooks: [.make(on: [.up, .down])])
        story.hear("r t rrr")
        #expect(story.now == .seconds(11))
        #expect(story["NAS"]?.since == .seconds(9))
        let down = try #require(story.runs.first?.context.transition)
        #expect((down.time, down.began, down.lasted) == (.seconds(6), .seconds(3), .seconds(2)))
        let up = try #require(story.runs.last?.context.transition)
        #expect((up.time, up.began) == (.seconds(11), .seconds(9)))
        #expect(up.outage == .seconds(6))
        #expect(up.start == .seconds(3))
        #expect(story["NAS"]?.totals.longestOutage == .seconds(6))
        // Up from 1 to 3 s and from 9 to 11 s.
        #expect(story["NAS"]?.availability(at: story.now) == 0.4)
    }

    @Test func `a hook receives the start and the length of the outage`() throws {
        var story = outage(hooks: [.make(on: [.up, .down])])
        story.hear("r")
        let wall = WallTime(start: .seconds(1_795_183_339))
        let environments = story.runs.map { run in
            Dictionary(uniqueKeysWithValues: run.environment(wall: wall).map { ($0.name, $0.value) })
        }
        #expect(environments.map { $0["REACH_EVENT"] } == ["down", "up"])
        #expect(environments.map { $0["REACH_SINCE"] } == ["2026-11-20T14:02:22.000Z", "2026-11-20T14:02:26.000Z"])
        #expect(environments.map { $0["REACH_DOWN_SECONDS"] } == ["", "4.000"])
    }

    @Test(arguments: [("r ttt fff r", "6.000"), ("r ttt fff ttt r", "9.000"), ("r fff r", "")])
    func `a hook of a recovery after faults receives the length of the whole outage`(outcomes: String, length: String) {
        var story = Story(.make(hooks: [.make(on: [.change])]))
        story.hear(outcomes)
        let environment = story.runs.last?.environment(wall: WallTime(start: .zero))
        #expect(environment?.first { $0.name == "REACH_HEALTH" }?.value == "up")
        #expect(environment?.first { $0.name == "REACH_DOWN_SECONDS" }?.value == length)
    }

    @Test func `min_down and within use the length of the outage`() {
        for (minDown, within, runs) in [(4, 60, 1), (5, 60, 0), (0, 4, 1), (0, 3, 0)] {
            let rule = HookRule.make(within: .seconds(within), minDown: .seconds(minDown))
            var story = outage(hooks: [rule])
            story.hear("r")
            #expect(story.runs.count == runs, "\(minDown) \(within)")
        }
    }

    @Test func `availability counts an outage from its first lost probe`() {
        var story = Story(.make())
        story.hear("r rrrrrrr tt")
        #expect(story["NAS"]?.availability(at: story.now) == 1)
        story.hear("t")
        // Up from 1 to 9 s, down since.
        #expect(story["NAS"]?.availability(at: story.now) == 0.8)
    }

    @Test func `the outage of a target that never replied begins with its first probe`() {
        var story = Story(.make())
        story.wait(.seconds(5))
        story.hear("ttt")
        #expect(story["NAS"]?.since == .seconds(6))
        story.hear("r")
        #expect(story["NAS"]?.totals.longestOutage == .seconds(3))
    }

    @Test func `a fault between losses does not move the outage`() {
        var story = Story(.make())
        story.hear("r t ff tt")
        #expect(story["NAS"]?.since == .seconds(2))
    }

    @Test func `no health begins before the previous one`() {
        var story = Story(.make(fall: 1))
        story.wait(.milliseconds(600))
        story.hear(.reply(roundTrip: .milliseconds(600)), sent: .zero)
        story.wait(.milliseconds(600))
        story.hear(.timeout, sent: .milliseconds(200))
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.since == .milliseconds(600))
        #expect(story["NAS"]?.availability(at: story.now) == 0)
    }

    @Test func `losses before a stall do not begin an outage after it`() {
        var story = Story(.make())
        story.hear("r tt")
        story.wait(.seconds(60))
        story.take(story.roster.record([.stalled(gap: .seconds(60), at: story.now)]))
        story.hear("ttt")
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.since == .seconds(64))
        // Up from 1 to 3 s and from 63 to 64 s, down until 66 s; between them lies the stall.
        #expect(story["NAS"]?.availability(at: story.now) == 3.0 / 5)
    }

    @Test func `statistics reset during an outage start at the reset`() throws {
        var story = Story(.make())
        story.hear("r tt")
        let id = try #require(story["NAS"]).id
        story.roster.reset([id], at: story.now)
        story.hear("t r")
        #expect(story["NAS"]?.totals.unreachable == .seconds(2))
        #expect(story["NAS"]?.totals.longestOutage == .seconds(3))
    }

    @Test func `an outage that began before a reset is not one of the statistics`() throws {
        var story = Story(.make(rise: 1, fall: 1))
        story.hear("r tt")
        story.roster.reset([try #require(story["NAS"]).id], at: story.now)
        story.hear("t r")
        let totals = try #require(story["NAS"]).totals
        #expect(totals.outages == 0 && totals.longestOutage == .zero && totals.meanTimeToRecover == nil)
        story.hear("t r")
        #expect(story["NAS"]?.totals.outages == 1 && story["NAS"]?.totals.longestOutage == .seconds(1))
    }
}

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
        #expect(!story.others.contains { if case .faultCleared = $0.kind { true } else { false } })
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
