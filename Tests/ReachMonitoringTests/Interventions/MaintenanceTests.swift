import TestSupport
import Testing

@testable import ReachMonitoring

/// What happens to targets, hooks and figures during planned work.
@Suite struct MaintenanceTests {
    /// The wall time of the program's start.
    private static let start = Duration.seconds(1_800_000_000)
    private static let wall = WallTime(start: start)

    private func target(_ name: String = "NAS", _ rules: [HookRule], fall: Int = 3) -> Target {
        .make(name, group: "Home", fall: fall, hooks: rules)
    }

    private static let rules = [HookRule.make(on: [.down]), HookRule.make(on: [.up])]

    /// A story whose windows are open at these times since the start.
    private func story(_ targets: [Target], _ windows: Range<Int>..., selecting names: Set<String> = []) -> Story {
        var story = Story([])
        var settings = Settings(targets: targets)
        settings.maintenance = windows.map { window in
            let span = Self.start + .seconds(window.lowerBound)..<Self.start + .seconds(window.upperBound)
            return MaintenanceWindow(name: "Backups", .once(span), for: .init(targets: names))
        }
        story.take(story.roster.apply(settings, at: story.now))
        story.take(story.roster.updateMaintenance(at: story.now, wall: Self.wall))
        return story
    }

    private func update(_ story: inout Story) {
        story.take(story.roster.updateMaintenance(at: story.now, wall: Self.wall))
        story.take(story.roster.expire(at: story.now))
    }

    private func texts(_ story: Story) -> [String] {
        story.others.compactMap { event in
            switch event.kind {
            case .maintenance(let name, let end):
                "\(event.targets.count) begin \(name ?? "") \(event.time.components.seconds)-\(end.components.seconds)"
            case .maintenanceEnded: "\(event.targets.count) end \(event.time.components.seconds)"
            default: nil
            }
        }
    }

    @Test func `a hook whose condition still holds fires when the window ends`() {
        var story = story([target("NAS", Self.rules)], 10..<60)
        story.hear("rr")
        story.wait(.seconds(8))
        update(&story)
        story.hear("xxx")
        #expect(story.transitions == ["NAS: unknown→up", "NAS: up→down"] && story.runs.isEmpty)
        #expect(story["NAS"]?.maintenance?.name == "Backups" && story["NAS"]?.maintenance?.until == .seconds(60))
        #expect(story.roster.nextExpiry == .seconds(40))
        story.wait(.seconds(47))
        update(&story)
        #expect(story.runNames == ["NAS: down"])
        #expect(texts(story) == ["1 begin Backups 10-60", "1 end 60"])
        #expect(story["NAS"]?.maintenance == nil)
        story.hear("r")
        #expect(story.runNames == ["NAS: down", "NAS: up"])
    }

    @Test func `a hook whose condition has passed does not fire`() {
        var story = story([target("NAS", Self.rules)], 10..<60)
        story.hear("rr")
        story.wait(.seconds(8))
        update(&story)
        story.hear("xxxrrxxxr")
        story.wait(.seconds(60))
        update(&story)
        #expect(story.runs.isEmpty && story.transitions.count == 5)
    }

    @Test func `an outage from before the window that is over at its end is reported as over`() {
        var story = story([target("NAS", Self.rules)], 10..<60)
        story.hear("rrxxx")
        #expect(story.runNames == ["NAS: down"])
        story.wait(.seconds(5))
        update(&story)
        story.hear("r")
        #expect(story.runs.count == 1)
        story.wait(.seconds(60))
        update(&story)
        #expect(story.runNames == ["NAS: down", "NAS: up"])
    }

    @Test func `an outage that began in the window and goes on is reported, also after an earlier one`() {
        let rules = [HookRule.make(on: [.down]), HookRule.make(on: [.up]), HookRule.make(on: [.up, .down])]
        var story = story([target("NAS", rules)], 10..<60)
        story.hear("rrxxx")
        #expect(story.runNames == ["NAS: down", "NAS: down"])
        story.wait(.seconds(5))
        update(&story)
        story.hear("rrxxx")
        story.wait(.seconds(60))
        update(&story)
        #expect(story.runNames == ["NAS: down", "NAS: down", "NAS: down", "NAS: down"])
    }

    @Test func `a first verdict in a window fires only hooks with at_start, and a later one all`() {
        let rules = [
            HookRule.make(on: [.up]), HookRule.make(on: [.up], firesAtStart: true), HookRule.make(on: [.down]),
        ]
        for (letters, runs) in [("r", ["NAS: up"]), ("rxxx", ["NAS: down"]), ("xxx", [])] {
            var story = story([target("NAS", rules)], 0..<60)
            story.hear(letters)
            #expect(story.runs.isEmpty)
            story.wait(.seconds(60))
            update(&story)
            #expect(story.runNames == runs, "\(letters)")
        }
    }

    @Test func `a cooldown counts from the end of the window`() {
        var story = story([target("NAS", [.make(on: [.down], cooldown: .seconds(100))])], 10..<60)
        story.hear("rr")
        story.wait(.seconds(8))
        update(&story)
        story.hear("xxx")
        story.wait(.seconds(47))
        update(&story)
        #expect(story.runNames == ["NAS: down"] && story.runs.first?.context.time == .seconds(60))
        story.hear("rxxx")
        #expect(story.runs.count == 1)
    }

    @Test func `flapping that begins in a window is reported at its end`() {
        var target = target("NAS", [.make(on: [.flapping])], fall: 1)
        target.mayFlap = true
        var story = story([target], 10..<120)
        story.hear("rr")
        story.wait(.seconds(8))
        update(&story)
        story.hear("xrxrxrxrxrxrxrxrxrxrxrxr")
        #expect(story["NAS"]?.isFlapping == true && story.runs.isEmpty)
        story.wait(.seconds(100))
        update(&story)
        #expect(story.runNames == ["NAS: flapping"])
    }

    @Test func `time in a window is neither up nor down, and its outages do not count`() {
        var story = story([target("NAS", [])], 10..<60)
        story.hear("rr")
        story.wait(.seconds(8))
        update(&story)
        story.hear("xxxxxr")
        story.wait(.seconds(44))
        update(&story)
        story.wait(.seconds(10))
        #expect(story["NAS"]?.availability(at: story.now) == 1)
        #expect(story["NAS"]?.totals.outages == 0)
        #expect(story["NAS"]?.totals.reachable == .seconds(9))
    }

    @Test func `an outage that began before a window counts until the window, also if the verdict is in it`() throws {
        for verdictIsBefore in [false, true] {
            var story = story([target("NAS", [])], 10..<60)
            story.hear(verdictIsBefore ? "rrrrrxxx" : "rrrrrrrrxx")
            story.wait(.seconds(10) - story.now)
            update(&story)
            story.hear(verdictIsBefore ? "xr" : "xxr")
            story.wait(.seconds(60) - story.now)
            update(&story)
            story.wait(.seconds(10))
            let totals = try #require(story["NAS"]).totals
            // It began with the first lost probe.
            let lost = verdictIsBefore ? 4 : 1
            #expect(totals.unreachable == .seconds(lost) && totals.outages == 1)
            #expect(totals.endedOutages == 1 && totals.endedOutage == .seconds(lost))
            #expect(totals.reachable == .seconds(9 - lost))
            let share = story["NAS"]?.availability(at: story.now)
            #expect(share == .some(.seconds(19 - lost) / .seconds(19)))
        }
    }

    @Test func `after a reset in a window, an outage that began before it does not count`() throws {
        var story = story([target("NAS", [])], 10..<60)
        story.hear("rrrrrrrrxx")
        update(&story)
        story.wait(.seconds(1))
        story.roster.reset([try #require(story["NAS"]).id], at: story.now)
        story.hear("xxr")
        story.wait(.seconds(60) - story.now)
        update(&story)
        story.wait(.seconds(10))
        let totals = try #require(story["NAS"]).totals
        #expect(totals.outages == 0 && totals.unreachable == .zero && totals.reachable == .zero)
        #expect(story["NAS"]?.availability(at: story.now) == 1)
    }

    @Test func `windows select targets, and overlapping ones are one maintenance`() {
        var story = story([target("NAS", []), target("Box", [])], 10..<60, 50..<90, selecting: ["NAS"])
        for time in [10, 50, 60, 90] {
            story.wait(.seconds(time) - story.now)
            update(&story)
        }
        #expect(texts(story) == ["1 begin Backups 10-60", "1 end 90"])
        #expect(story["Box"]?.maintenance == nil)
        #expect(story.roster.states.healthCounts.inMaintenance == 0)
    }

    @Test func `a window that the settings no longer have ends at once`() {
        var story = story([target("NAS", Self.rules)], 0..<600)
        story.hear("rxxx")
        story.take(story.roster.apply(Settings(targets: [target("NAS", Self.rules)]), at: story.now))
        story.take(story.roster.updateMaintenance(at: story.now, wall: Self.wall))
        #expect(texts(story) == ["1 begin Backups 0-600", "1 end 4"])
        #expect(story.runNames == ["NAS: down"] && story.roster.nextExpiry == nil)
    }

    @Test func `a clock that is set is noticed within half a minute`() {
        var story = story([target("NAS", [])], 3_600..<7_200)
        story.wait(.seconds(20))
        let later = WallTime(start: Self.start + .seconds(3_600))
        story.take(story.roster.updateMaintenance(at: story.now, wall: later))
        #expect(texts(story).isEmpty && story.roster.nextExpiry == .seconds(30))
        story.wait(.seconds(10))
        story.take(story.roster.updateMaintenance(at: story.now, wall: later))
        #expect(texts(story) == ["1 begin Backups 30-3600"])
    }

    @Test func `the stored time of a window is accounted separately`() {
        let run = ProgramRun(id: 1, from: .seconds(0), until: .seconds(100))
        let change = { (to: Health, time: Int) in
            HistoryEvent(.transition, at: .seconds(time), to: to, since: .seconds(time), detail: "refused")
        }
        let spans = WatchedSpan.spans(
            of: [
                change(.up, 0), HistoryEvent(.maintenance, at: .seconds(20)), change(.down, 30), change(.up, 40),
                change(.down, 45), HistoryEvent(.maintenanceEnded, at: .seconds(60)), change(.up, 70),
            ],
            in: run
        )
        let account = Availability(spans, from: .zero, until: .seconds(100), countingUnknownAsDown: true)
        #expect(account.maintenance == .seconds(40) && account.up == .seconds(50) && account.down == .seconds(10))
        #expect(account.outages.map(\.length) == [.seconds(10)] && account.coverage == 0.6)
    }
}
