import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// Everything on the screen is of the cursor's time.
@Suite struct TimeCursorTests {
    /// A switch that goes down in second 12 and is back in second 20, the NAS behind it, and a hook.
    private func evening(columns: Int = 120, rows: Int = 24) -> Scene {
        let hook = HookRule.make(on: [.up], "mount /mnt/nas")
        var scene = Scene(
            [
                .make("Switch", url: "icmp://192.168.1.2", group: "Home", hooks: [hook]),
                .make("NAS", group: "Home", dependsOn: [.target("Switch")]),
                .make("Router", url: "icmp://192.168.1.1"),
            ],
            columns: columns,
            rows: rows
        )
        scene.receiveTogether([
            "Switch": "rrrrrrrrrrrrxxxxxxxxrrrrrrrrrr", "NAS": "rrrrrrrrrrrr        rrrrrrrrrr",
            "Router": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrr",
        ])
        return scene
    }

    private let previous = Key.character("[")
    private let next = Key.character("]")

    @Test func `the keys for events freeze the screen and move the cursor from event to event`() {
        var scene = evening()
        scene.press(previous)
        #expect(scene.line("FROZEN").contains("14:02:52"))
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:52"))
        scene.press(previous)
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:46"))
        scene.press(previous)
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:32"))
        scene.press(previous)
        #expect(scene.screen.contains("no earlier event"))
        scene.press(next)
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:46"))
        scene.press(next, next)
        #expect(scene.line("FROZEN").contains("FROZEN 14:03:01"))
        #expect(!scene.screen.contains(" at 14:"))
    }

    @Test func `after a change of daylight saving time, earlier times keep their offset`() {
        var scene = evening()
        let change = Scene.wall.start + scene.now - .seconds(5)
        let zone = ZoneOffsets(.zero, changes: [.init(at: change, to: .seconds(3_600))])
        scene.send(.tick(WallTime(start: Scene.wall.start, zone: zone)))
        #expect(scene.line("reach").contains("15:03:01"))
        #expect(scene.line("15:0").contains("15:03:01"))
        scene.press(previous)
        #expect(scene.line("FROZEN").contains("14:02:52"))
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:52"))
        #expect(scene.screen.contains("14:02:46 "))
    }

    @Test func `the cursor stops at the start of the program, also if there are events from before it`() throws {
        var scene = evening()
        let nas = try #require(scene.id("NAS"))
        var past = StoredPast()
        past.events = [TargetEvent(nas, HistoryEvent(.paused, at: Scene.wall.start - .seconds(60)))]
        scene.send(.past(past))
        scene.wait(.seconds(200))
        scene.send(.history(.unreadable("the history is off"), Scene.wall.zone))
        scene.press(previous, previous, previous, previous)
        #expect(scene.screen.contains("the program started here, and keeps no history"))
        #expect(scene.line("FROZEN").contains("14:02:31"))
        scene.press(.left)
        #expect(scene.line("FROZEN").contains("14:02:31"))
    }

    @Test func `before the first sample, header and footer show the start of the program`() {
        var scene = Scene([.make("Router", url: "icmp://192.168.1.1")])
        scene.receive("rr", from: "Router")
        scene.send(.history(.unreadable("the history is off"), Scene.wall.zone))
        scene.press(.character("f"), .left, .left, .left, .left)
        #expect(scene.screen.contains("the program started here"))
        scene.wait(.seconds(5))
        #expect(scene.line("FROZEN").contains("? 1 unknown   FROZEN 14:02:31"))
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:31"))
        for _ in 0..<6 { scene.press(.right) }
        #expect(scene.line("FROZEN").contains("● 1 up   FROZEN 14:02:33"))
    }

    @Test func `a target is not shown at a time before it was added`() {
        var scene = evening()
        let printer = Target.make("Printer", url: "icmp://192.168.1.9", group: "Home")
        scene.send(.settings(Settings(targets: scene.model.roster.targets + [printer])))
        scene.receive("rr", from: "Printer")
        scene.press(previous, previous, previous)
        #expect(scene.line("FROZEN").contains(" 3 targets   ● 3 up   FROZEN 14:02:52"))
        #expect(!scene.screen.contains("192.168.1.9"))
        scene.press(.character("/"))
        scene.type("!printer")
        scene.press(.enter)
        #expect(scene.line("FROZEN").contains(" 3 of 3 targets "))
        scene.press(next, next, next)
        #expect(scene.line("FROZEN").contains(" 3 of 4 targets "))
        scene.press(.escape, .escape)
        #expect(scene.screen.contains("192.168.1.9"))
        scene.open("Printer")
        scene.press(.character("f"))
        for _ in 0..<8 { scene.press(.left) }
        #expect(scene.screen.contains("the target was added here"))
        #expect(scene.line("FROZEN").contains("FROZEN 14:03:01"))
    }

    @Test func `header, groups, reasons, blockers and events are of the cursor's time`() {
        var scene = evening()
        scene.press(previous, previous)
        #expect(scene.line("FROZEN").contains("● 1 up  ○ 1 down  ◌ 1 blocked   FROZEN 14:02:46"))
        #expect(scene.line("Home ──").hasSuffix("0/2 up, 1 down, 1 blocked ──"))
        #expect(scene.line("192.168.1.2").contains("○ Switch"))
        #expect(scene.line("192.168.1.2").contains("down  refused"))
        #expect(scene.line("nas.local").contains("blocked by Switch"))
        #expect(scene.line("nas.local").hasSuffix(" 0s"))
        #expect(scene.screen.contains("14:02:46 ○ Switch"))
        // No event is later than the cursor.
        #expect(!scene.screen.contains("14:02:52"))
    }

    @Test func `filter and order follow the cursor`() {
        var scene = evening()
        scene.press(.character("f"), .character("/"))
        scene.type("is:down")
        scene.press(.enter)
        #expect(scene.screen.contains("no target matches"))
        scene.press(previous, previous)
        #expect(scene.line("192.168.1.2").contains("○ Switch"))
        #expect(!scene.screen.contains("192.168.1.1 "))
    }

    @Test func `in the details, the keys move between the events of the target`() {
        var scene = evening(columns: 120, rows: 36)
        scene.open("Router")
        scene.press(previous)
        #expect(scene.line("at 14:").hasPrefix(" at 14:02:32 up for 0s"))
        scene.press(previous)
        #expect(scene.screen.contains("no earlier event"))
    }

    @Test func `the progress of a hook is that of the cursor's time`() throws {
        var scene = evening(columns: 140)
        let run = try #require(scene.effects.flatMap(\.runs).first)
        scene.send(.hook(.started(run)))
        scene.wait(.seconds(5))
        let result = HookResult(status: .exited(0), duration: .seconds(5), output: "done")
        scene.send(.hook(.finished(run, result)))
        scene.wait(.seconds(5))
        #expect(scene.line("·  mount").contains("mount ok, 5.0s: done"))
        scene.press(.character("f"), .left, .left)
        #expect(scene.line("·  mount").contains("ok"))
        scene.press(previous)
        #expect(scene.line("·  mount").contains("waiting"))
        #expect(!scene.screen.contains("hook running"))
        for _ in 0..<6 { scene.press(.right) }
        #expect(scene.line("·  mount").contains("mount running"))
        #expect(scene.line("192.168.1.2").contains("hook running"))
        scene.press(.character("h"))
        #expect(scene.line("mount /mnt/nas").contains("running"))
    }

    @Test func `the certificate and the session are of the cursor's time`() {
        var scene = Scene([
            .make("Shop", url: "https://shop.example.com/"), .make("NAS", url: "session://nas.local:445"),
        ])
        let start = Scene.wall.start.components.seconds
        for days in [2, 2, 2, 61, 61] as [Int64] {
            let reply = Reply(roundTrip: .milliseconds(9), certificateExpiry: start + days * 86_400 + 60)
            scene.receive(.reply(reply), from: "Shop")
        }
        scene.open("Shop")
        #expect(scene.line("certificate").contains("61 days left"))
        scene.press(.character("f"), .left, .left, .left, .left, .left, .left)
        #expect(scene.line("certificate").contains("2 days left"))
        scene.press(.escape)

        let nas = scene.model.roster.states[1].id
        scene.send(.findings([.session(nas, .ready, address: nil, at: scene.now)]))
        scene.wait(.seconds(5))
        let failure = SessionState.failed(.failure(Failure(.reset)))
        scene.send(.findings([.session(nas, failure, address: nil, at: scene.now)]))
        scene.open("NAS")
        #expect(scene.line("session  ").contains("failed"))
        scene.wait(.seconds(1))
        scene.press(previous, previous)
        #expect(scene.line("session  ").contains("ready"))
    }

    @Test func `at the cursor, a target without round trips has none`() {
        var scene = Scene([.make("Uplink", url: "link:any")])
        for _ in 0..<5 { scene.receive(.reply(Reply(roundTrip: nil, detail: "wired")), from: "Uplink") }
        let row = scene.line("● Uplink")
        scene.press(.character("f"), .left)
        let figures = row.split(separator: " ").drop { $0 != "wired" }.prefix(2)
        #expect(figures == ["wired", "–"])
        #expect(scene.line("● Uplink").split(separator: " ").drop { $0 != "wired" }.prefix(2) == figures)
    }

    @Test func `the wall shows the health at the cursor`() {
        var scene = evening()
        scene.press(.character("2"))
        #expect(!scene.screen.contains("○ Switch"))
        scene.press(previous, previous)
        #expect(scene.screen.contains("○ Switch"))
        scene.press(.escape)
        #expect(!scene.screen.contains("○ Switch"))
    }

    @Test func `the events begin with that of the cursor`() {
        var scene = evening()
        scene.press(.character("e"), previous, previous)
        let lines = scene.screen.split(separator: "\n").map(String.init)
        #expect(lines.dropFirst(2).first?.contains("14:02:46") == true)
    }

    @Test func `steps of the time cursor that were pressed together show what single steps show`() {
        for keys in [[Key.left, .left, .left, .right], [previous, previous, .left, next], [.left, .left, .enter]] {
            var (single, together) = (evening(), evening())
            single.press(.character("f"))
            for key in keys { single.press(key) }
            together.send(.keys([.character("f")] + keys))
            #expect(together.screen == single.screen)
        }
    }
}
