import TestSupport
import Testing

@testable import ReachMonitoring

/// What the roster makes of lasting changes of round trips and losses: events, hooks, and no change of health.
struct RosterShiftTests {
    @Test func `latency rises and returns`() throws {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        let start = world.now + .seconds(1)
        world.levels["NAS"] = 38
        world.run(20)
        #expect(world.news == ["NAS: latency rose from 12 to 38ms"])
        let shift = try #require(world["NAS"]?.levelShift)
        #expect(shift.began == start)
        #expect(world["NAS"]?.health == .up)
        let clock = { (time: Duration) in "\(time.components.seconds)" }
        #expect(
            ShiftNews.level(shift).sentence(timeOfDay: clock)
                == "latency rose from 12 to 38ms at \(start.components.seconds)"
        )
        world.run(100)
        world.levels["NAS"] = 12
        world.run(20)
        #expect(world.news.dropFirst() == ["NAS: latency back to 12ms after 2m00s"])
        #expect(world["NAS"]?.levelShift?.ends == .seconds(120))
    }

    @Test func `without the search there are no shifts`() {
        var roster = Roster()
        #expect(!roster.findsShifts)
        roster.findsShifts = true
        #expect(roster.findsShifts)
    }

    @Test func `a target may be left out, and have other limits`() {
        let quiet = ShiftWorld.target("quiet") { $0.shifts = nil }
        let fine = ShiftWorld.target("fine") { $0.shifts = ShiftSettings(atLeast: 0.05, and: .milliseconds(1)) }
        var world = ShiftWorld([quiet, fine, ShiftWorld.target("usual")])
        world.run(60)
        for name in ["quiet", "fine", "usual"] { world.levels[name] = 14 }
        world.run(20)
        #expect(world.news == ["fine: latency rose from 12 to 14ms"])
    }

    @Test func `loss rises and returns`() {
        var world = ShiftWorld([ShiftWorld.target("NAS") { $0.thresholds.fall = 100 }])
        world.run(100)
        for round in 0..<120 {
            world.levels["NAS"] = round % 3 == 0 ? .some(nil) : 12
            world.run(1)
        }
        world.levels["NAS"] = 12
        world.run(120)
        #expect(world.news.count == 2)
        #expect(world.news.first?.hasPrefix("NAS: loss rose from 0 to 3") == true)
        #expect(world.news.last?.hasPrefix("NAS: loss back to 0% after ") == true)
        #expect(world["NAS"]?.lossShift?.ends.map { abs($0.inSeconds - 120) < 10 } == true)
    }

    @Test func `an outage is no shift, and a level after it is one`() {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        world.levels["NAS"] = .some(nil)
        world.run(50)
        #expect(world["NAS"]?.health == .down)
        world.levels["NAS"] = 38
        world.run(20)
        #expect(world.news == ["NAS: latency rose from 12 to 38ms"])
    }

    @Test func `a pause drops what was seen, and a level after it is dated after it`() throws {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(2)
        let id = try #require(world["NAS"]?.id)
        world.change { $0.pause([id], at: $1) }
        world.wait(.seconds(30))
        world.change { $0.resume([id], at: $1) }
        let resumed = world.now
        world.run(20)
        #expect(world["NAS"]?.levelShift?.began == resumed + .seconds(1))
    }

    @Test func `a block drops what was seen`() {
        let child = ShiftWorld.target("NAS") { $0.dependsOn = [.target("Switch")] }
        var world = ShiftWorld([ShiftWorld.target("Switch"), child])
        world.run(60)
        world.levels["Switch"] = .some(nil)
        world.run(1)
        world.levels["NAS"] = 38
        world.run(2)
        #expect(world["NAS"]?.isBlocked == true)
        world.levels["Switch"] = 12
        world.run(1)
        #expect(world["NAS"]?.isBlocked == false)
        let unblocked = world.now
        world.run(20)
        #expect(world["NAS"]?.levelShift.map { $0.began >= unblocked } == true)
    }

    @Test func `a stall drops what was seen`() {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(2)
        world.wait(.seconds(20))
        world.record(.stalled(gap: .seconds(20), at: world.now))
        let woken = world.now
        world.run(20)
        #expect(world["NAS"]?.levelShift?.began == woken + .seconds(1))
    }

    @Test func `a reload keeps the level, and more sensitive limits report no earlier change`() {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        world.levels["NAS"] = 15
        world.run(60)
        #expect(world.news.isEmpty)
        world.apply([ShiftWorld.target("NAS") { $0.shifts = ShiftSettings(atLeast: 0.05, and: .milliseconds(1)) }])
        world.run(60)
        #expect(world.news.isEmpty)
        world.levels["NAS"] = 18
        world.run(20)
        #expect(world.news == ["NAS: latency rose from 15 to 18ms"])
    }

    @Test func `switched off, a shift is forgotten, and a removed target's too`() {
        var world = ShiftWorld([ShiftWorld.target("NAS"), ShiftWorld.target("Shop")])
        world.run(60)
        (world.levels["NAS"], world.levels["Shop"]) = (38, 38)
        world.run(20)
        #expect(world.news.count == 2)
        world.apply([ShiftWorld.target("NAS") { $0.shifts = nil }])
        #expect(world["NAS"]?.levelShift == nil)
        world.apply([ShiftWorld.target("NAS"), ShiftWorld.target("Shop")])
        world.run(20)
        #expect(world["Shop"].flatMap { world.roster.level(of: $0.id) } == nil, "a new target with no level yet")
        world.run(20)
        #expect(world.news.count == 2)
    }

    @Test func `the past has the shift of then`() {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(30)
        let during = world.now
        world.run(60)
        world.levels["NAS"] = 12
        world.run(30)
        let past = world.roster.rewound(to: during).states.first?.levelShift
        #expect(past?.after.roundTripText == "38ms")
        #expect(past?.ends == nil)
        #expect(world.roster.rewound(to: .seconds(150)).states.first?.levelShift == nil)
    }

    @Test func `the hours of days are those of local time`() {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.wall = WallTime(start: .seconds(1_700_000_000), offset: .seconds(5 * 3_600 + 1_800))
        world.run(60)
        let seconds = (world.wall.start + world.now).flooredSeconds + 5 * 3_600 + 1_800
        let hour = Int(seconds / 3_600 % 24)
        // The level of an hour is known when it is over.
        world.wait(.seconds(3_600))
        world.run(1)
        let detector = world["NAS"].flatMap { world.roster.shifts?[$0.id]?.level }
        #expect(detector?.usualLevel(forHour: hour)?.roundTripText == "12ms")
        #expect(detector?.usualLevel(forHour: (hour + 23) % 24) == nil)
    }
}

/// Hooks with `on = "shift"`.
struct ShiftHookTests {
    private static func rule(cooldown: Duration = .zero) -> HookRule {
        HookRule(on: [.shift], run: .shell("true"), cooldown: cooldown)
    }

    @Test func `a hook runs for a change and for its end`() throws {
        var world = ShiftWorld([ShiftWorld.target("NAS", hooks: [Self.rule()])])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(60)
        world.levels["NAS"] = 12
        world.run(20)
        #expect(world.runs.count == 2)
        let run = try #require(world.runs.first)
        let environment = Dictionary(run.environment(wall: world.wall).map { ($0.name, $0.value) }) { $1 }
        #expect(environment["REACH_EVENT"] == "shift")
        #expect(environment["REACH_HEALTH"] == "up")
        #expect(environment["REACH_LEVEL_BEFORE_MS"].flatMap(Double.init).map { abs($0 - 12) < 0.2 } == true)
        #expect(environment["REACH_LEVEL_MS"].flatMap(Double.init).map { abs($0 - 38) < 0.6 } == true)
        let began = world.wall.timeOfDay(at: .seconds(161)).prefix(5)
        #expect(environment["REACH_SHIFT"] == "latency rose from 12 to 38ms at \(began)")
        let last = world.runs.last.map { $0.environment(wall: world.wall) } ?? []
        #expect(last.contains { $0 == ("REACH_SHIFT", "latency back to 12ms after 1m00s") })
    }

    @Test func `a loss has no levels`() throws {
        var world = ShiftWorld([ShiftWorld.target("NAS", hooks: [Self.rule()]) { $0.thresholds.fall = 100 }])
        world.run(100)
        for round in 0..<60 {
            world.levels["NAS"] = round % 3 == 0 ? .some(nil) : 12
            world.run(1)
        }
        let run = try #require(world.runs.first)
        let environment = Dictionary(run.environment(wall: world.wall).map { ($0.name, $0.value) }) { $1 }
        #expect(environment["REACH_LEVEL_MS"] == "")
        #expect(environment["REACH_SHIFT"]?.hasPrefix("loss rose from 0 to ") == true)
    }

    @Test func `maintenance defers a change, and one that is over by then is none`() {
        for isOver in [false, true] {
            var world = ShiftWorld([ShiftWorld.target("NAS", hooks: [Self.rule()])])
            world.run(60)
            let now = world.wall.start + world.now
            var settings = Settings(targets: world.targets)
            settings.maintenance = [MaintenanceWindow(.once(now..<now + .seconds(300)))]
            let wall = world.wall
            world.change { $0.apply(settings, at: $1) }
            world.change { $0.updateMaintenance(at: $1, wall: wall) }
            world.levels["NAS"] = 38
            world.run(60)
            #expect(world.news.count == 1)
            if isOver { world.levels["NAS"] = 12 }
            world.run(60)
            #expect(world.runs.isEmpty)
            world.wait(.seconds(300))
            world.change { $0.updateMaintenance(at: $1, wall: wall) }
            world.run(5)
            #expect(world.runs.count == (isOver ? 0 : 1))
        }
    }

    @Test func `changes of latency and of loss wait side by side`() {
        let target = ShiftWorld.target("NAS", hooks: [Self.rule(cooldown: .seconds(200))]) { $0.thresholds.fall = 100 }
        var world = ShiftWorld([target])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(60)
        world.levels["NAS"] = 80
        world.run(40)
        for round in 0..<400 {
            world.levels["NAS"] = round % 3 == 0 ? .some(nil) : 80
            world.run(1)
        }
        let changes = world.runs.compactMap { run -> ShiftNews.Change? in
            if case .shift(let news) = run.context.trigger { news.change } else { nil }
        }
        #expect(changes == [.latencyRose, .latencyRose, .lossRose])
    }

    @Test func `a correction is a run with the level at rest`() {
        var world = ShiftWorld([ShiftWorld.target("NAS", hooks: [Self.rule()])])
        world.noise = 0.002
        world.run(60)
        world.levels["NAS"] = 20
        world.run(8)
        world.levels["NAS"] = 80
        world.run(80)
        #expect(world.news == ["NAS: latency rose from 12 to 20ms", "NAS: latency rose from 12 to 80ms"])
        #expect(Set(world.shifts.map(\.began)).count == 1)
        #expect(world.runs.count == 2)
        #expect(world["NAS"]?.levelShift?.after.roundTripText == "80ms")
    }

    @Test func `a cooldown defers the next change`() {
        var world = ShiftWorld([ShiftWorld.target("NAS", hooks: [Self.rule(cooldown: .seconds(600))])])
        world.run(60)
        world.levels["NAS"] = 38
        world.run(60)
        world.levels["NAS"] = 80
        world.run(60)
        #expect(world.news.count == 2)
        #expect(world.runs.count == 1)
        world.run(560)
        #expect(world.runs.count == 2)
    }
}
