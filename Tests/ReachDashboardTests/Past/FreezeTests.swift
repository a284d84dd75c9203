import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// The frozen screen and the time cursor.
@Suite struct FreezeTests {
    /// 75 seconds of a router with 1, 2, 3 … ms, and a NAS that refuses from second 40 to 49.
    private func minute(columns: Int = 155, rows: Int = 24) -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1"), .make("NAS")],
            columns: columns,
            rows: rows
        )
        for second in 1...75 {
            scene.receiveOnce(["Router": Double(second), "NAS": (40..<50).contains(second) ? nil : 7])
        }
        return scene
    }

    private func moveBack(_ count: Int, in scene: inout Scene) {
        for _ in 0..<count { scene.press(.left) }
    }

    @Test func `a frozen screen does not change while probing continues`() {
        var scene = minute()
        scene.press(.character("f"))
        let frozen = scene.screen
        #expect(scene.line("FROZEN").contains("FROZEN 14:03:46"))
        scene.receive("xxx", from: "NAS")
        scene.wait(.seconds(30))
        #expect(scene.screen == frozen)
        #expect(scene.model.roster.states[1].health == .down)
        scene.press(.character("f"))
        #expect(!scene.screen.contains("FROZEN"))
        #expect(scene.line("nas.local").contains("down"))
        #expect(scene.screen.contains("14:04:19"))
    }

    @Test func `esc unfreezes before it closes a view`() {
        var scene = minute()
        scene.press(.enter, .character("f"), .escape)
        #expect(!scene.screen.contains("FROZEN"))
        #expect(scene.screen.contains("Round trips of the last minute "))
        scene.press(.escape)
        #expect(scene.screen.contains("LAST 60 s"))
    }

    @Test func `a frozen screen stays fresh`() {
        var scene = minute()
        scene.press(.character("f"))
        scene.model.markPainted()
        scene.wait(.seconds(2))
        #expect(scene.model.staleness == .fresh)
    }

    @Test func `the cursor shows last, health, age and loss of its time`() {
        var scene = minute()
        scene.press(.character("f"))
        // A column is one second here; the newest one began at second 75.
        moveBack(1, in: &scene)
        #expect(scene.line("192.168").contains(" 74ms"))
        #expect(scene.line(" at 14:03:45").hasPrefix(" at 14:03:45"))
        #expect(scene.line("nas.local").contains("● NAS"))
        moveBack(25, in: &scene)
        #expect(scene.line(" at 14:03:20").hasPrefix(" at 14:03:20"))
        #expect(scene.line("192.168").contains(" 49ms"))
        let nas = scene.line("nas.local")
        #expect(nas.contains("○ NAS"))
        #expect(nas.contains(" down "))
        #expect(nas.contains(" – "))
        #expect(nas.contains(" 20%"))
        #expect(nas.hasSuffix(" 9s"))
        moveBack(8, in: &scene)
        // The second of three losses: not down yet.
        #expect(scene.line("nas.local").contains("● NAS"))
        #expect(scene.line("nas.local").contains("up 2/3  refused"))
        #expect(scene.line("nas.local").contains(" – "))
        moveBack(2, in: &scene)
        #expect(scene.line("nas.local").contains(" 7.0ms"))
        #expect(scene.line("nas.local").contains(" 0%"))
    }

    @Test func `the cursor stops at the start of what is known and at the time of freezing`() {
        var scene = minute()
        scene.send(.history(.unreadable("the history is off"), Scene.wall.zone))
        scene.press(.character("f"))
        let frozen = scene.screen
        moveBack(200, in: &scene)
        #expect(scene.line("FROZEN").contains("14:02:31"))
        #expect(scene.screen.contains("the program started here"))
        scene.press(.right, .right)
        #expect(scene.line("192.168").contains(" 1.0ms"))
        for _ in 0..<200 { scene.press(.right) }
        #expect(scene.screen == frozen)
    }

    @Test func `actions on a frozen screen apply to live targets, and show after unfreezing`() throws {
        var scene = minute()
        scene.press(.character("f"))
        scene.press(.character(" "))
        let router = try #require(scene.id("Router"))
        #expect(scene.effects.last?.requests == [.forget([router])])
        #expect(scene.screen.contains("paused Router"))
        #expect(!scene.line("192.168").contains("paused"))
        scene.press(.character(" "))
        #expect(scene.effects.last?.requests.last == .now([router]))
        scene.press(.character(" "), .escape)
        #expect(scene.line("192.168").contains("paused"))
    }

    @Test func `during a pause, the cursor shows the pause`() {
        var scene = Scene([.make("NAS")], columns: 200, rows: 20)
        scene.receive("rrrrr", from: "NAS")
        scene.press(.character(" "))
        scene.wait(.seconds(10))
        scene.press(.character(" "))
        scene.receive("rrrrr", from: "NAS")
        scene.press(.character("f"))
        moveBack(7, in: &scene)
        #expect(scene.line("nas.local").contains("‖ NAS"))
        #expect(scene.line("nas.local").contains("paused"))
        #expect(scene.line("nas.local").contains(" – "))
        #expect(scene.line("nas.local").hasSuffix(" 8s"))
        #expect(scene.line("FROZEN").contains("‖ 1 paused"))
    }

    @Test func `the detail view shows the cursor in header, chart and statistics`() {
        var scene = minute(columns: 120, rows: 36)
        scene.select("NAS")
        scene.press(.enter, .character("f"))
        moveBack(55, in: &scene)
        for _ in 0..<20 where !scene.screen.contains(" at 14:03:19 down") { scene.press(.left) }
        #expect(scene.line("at 14:03:19").contains("down for 8s: refused   ×"))
        #expect(scene.line("sent ").split(separator: " ").suffix(3) == ["sent", "48", "48"])
        #expect(scene.line("outages ").split(separator: " ").suffix(2) == ["outages", "1"])
        scene.press(.escape)
        #expect(scene.line("up for").contains("up for 25s"))
    }

    @Test func `the cursor shows median, maximum and losses of a column of several probes`() {
        var scene = minute(columns: 120, rows: 36)
        scene.open("NAS")
        scene.press(.character("+"), .character("f"))
        // A column is 2.2 seconds here.
        let lines = (0..<18).map { _ in
            scene.press(.left)
            return scene.line(" at 14:")
        }
        #expect(lines.contains { $0.contains("   median 7.0ms, max 7.0ms  ") })
        #expect(lines.contains { $0.contains("   median 7.0ms, max 7.0ms, ") && $0.contains(" lost") })
        #expect(lines.contains { $0.contains(": refused   × 2 of 2 lost") })
    }

    @Test func `a reload shows after unfreezing`() {
        var scene = minute()
        scene.select("NAS")
        scene.press(.enter, .character("f"))
        let router = Target.make("Router", url: "icmp://192.168.1.1")
        scene.send(.settings(Settings(targets: [router])))
        scene.wait(.seconds(5))
        #expect(scene.screen.contains("tcp://nas.local:445"))
        scene.press(.character("r"), .character(" "), .character("x"), .character("f"))
        #expect(!scene.screen.contains("tcp://nas.local:445"))
        #expect(scene.screen.contains("192.168.1.1"))
    }

    @Test func `in frozen graphs, the arrows move the cursor`() {
        var scene = minute(columns: 120)
        scene.press(.character("3"), .character("f"))
        let frozen = scene.screen
        #expect(frozen.contains("read the past"))
        var count = 0
        while count < 130, !scene.line("NAS").contains("○ NAS") {
            scene.press(.left)
            count += 1
        }
        #expect(scene.screen.contains(" at 14:03:20"))
        #expect(scene.line("NAS").hasSuffix(" down 9s"))
        for _ in 0..<count { scene.press(.right) }
        #expect(scene.screen == frozen)
    }

    @Test func `in a frozen wall, the arrows move the selection`() {
        var scene = minute(columns: 120)
        scene.press(.character("2"), .character("f"))
        let frozen = scene.screen
        scene.receive("xxx", from: "NAS")
        #expect(scene.screen == frozen)
        #expect(!frozen.contains("read the past"))
        scene.press(.right)
        #expect(scene.screen.contains("nas.local"))
        scene.press(.character("f"))
        #expect(scene.screen.contains("down"))
    }

    @Test func `esc returns from a target to the wall`() {
        var scene = minute(columns: 120)
        scene.press(.character("2"))
        let wall = scene.screen
        scene.press(.enter, .character("e"), .escape)
        #expect(scene.screen.contains("Round trips of the last minute "))
        scene.press(.escape)
        #expect(scene.screen == wall)
    }

    @Test func `the final table shows the live state`() {
        var scene = minute()
        scene.press(.character("f"), .left)
        scene.receive("xxx", from: "NAS")
        let finalScreen = scene.model.finalScreen().text
        #expect(!finalScreen.contains("FROZEN"))
        #expect(finalScreen.contains("○ NAS"))
    }
}
