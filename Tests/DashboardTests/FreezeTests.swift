import Dashboard
import Monitoring
import Screen
import TestSupport
import Testing

/// The frozen screen and the time cursor.
@Suite struct FreezeTests {
    /// 75 s of a router at 1, 2, 3 … ms and a NAS that was away from second 40 to 49.
    private func minute(columns: Int = 200, rows: Int = 24) -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1"), .make("NAS")],
            columns: columns,
            rows: rows
        )
        for second in 1...75 {
            scene.hearOnce(["Router": Double(second), "NAS": (40..<50).contains(second) ? nil : 7])
        }
        return scene
    }

    private func back(_ count: Int, in scene: inout Scene) {
        for _ in 0..<count { scene.press(.left) }
    }

    @Test func `a frozen screen stands still while probing goes on`() {
        var scene = minute()
        scene.press(.character("f"))
        let frozen = scene.screen
        #expect(scene.line("FROZEN").contains("FROZEN 14:03:46"))
        scene.hear("xxx", from: "NAS")
        scene.wait(.seconds(30))
        #expect(scene.screen == frozen)
        #expect(scene.model.roster.standings[1].health == .down)
        scene.press(.character("f"))
        #expect(!scene.screen.contains("FROZEN"))
        #expect(scene.line("nas.local").contains("down"))
        #expect(scene.screen.contains("14:04:19"))
    }

    @Test func `esc thaws before it leaves a view`() {
        var scene = minute()
        scene.press(.enter, .character("f"), .escape)
        #expect(!scene.screen.contains("FROZEN"))
        #expect(scene.screen.contains("Round trips of the last 1m"))
        scene.press(.escape)
        #expect(scene.screen.contains("LAST 60 s"))
    }

    @Test func `a frozen screen has nothing to paint`() {
        var scene = minute()
        scene.press(.character("f"))
        scene.model.markPainted()
        scene.wait(.seconds(2))
        #expect(scene.model.staleness == .fresh)
    }

    @Test func `the cursor reads the past: last, health, age and loss are those of its second`() {
        var scene = minute()
        scene.press(.character("f"))
        // A column is a second wide here; the newest began at 75.
        back(1, in: &scene)
        #expect(scene.line("192.168").contains(" 74ms"))
        #expect(scene.line("at 14:").hasPrefix(" at 14:03:45"))
        #expect(scene.line("nas.local").contains("● NAS"))
        back(25, in: &scene)
        #expect(scene.line("at 14:").hasPrefix(" at 14:03:20"))
        #expect(scene.line("192.168").contains(" 49ms"))
        let nas = scene.line("nas.local")
        #expect(nas.contains("○ NAS"))
        #expect(nas.contains(" down "))
        #expect(nas.contains(" × "))
        #expect(nas.contains(" 20%"))
        #expect(nas.hasSuffix(" 9s"))
        back(8, in: &scene)
        // The second of three losses: the outage had begun with the first.
        #expect(scene.line("nas.local").contains("○ NAS"))
        #expect(scene.line("nas.local").contains(" × "))
        #expect(scene.line("nas.local").hasSuffix(" 1s"))
        back(2, in: &scene)
        #expect(scene.line("nas.local").contains(" 7.0ms"))
        #expect(scene.line("nas.local").contains(" 0%"))
    }

    @Test func `the cursor stops at the oldest column and comes back to the moment of freezing`() {
        var scene = minute()
        scene.press(.character("f"))
        let frozen = scene.screen
        back(200, in: &scene)
        #expect(scene.line("192.168").contains(" 16ms"))
        scene.press(.right)
        #expect(scene.line("192.168").contains(" 17ms"))
        for _ in 0..<100 { scene.press(.right) }
        #expect(scene.screen == frozen)
    }

    @Test func `what is done while frozen is done to the present, and seen after the thaw`() throws {
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

    @Test func `a past before a pause is known, the pause itself is not`() {
        var scene = Scene([.make("NAS")], columns: 200, rows: 20)
        scene.hear("rrrrr", from: "NAS")
        scene.press(.character(" "))
        scene.wait(.seconds(10))
        scene.press(.character(" "))
        scene.hear("rrrrr", from: "NAS")
        scene.press(.character("f"))
        back(7, in: &scene)
        #expect(scene.line("nas.local").contains("? NAS"))
        #expect(scene.line("nas.local").contains("not known"))
        #expect(scene.line("nas.local").contains(" – "))
    }

    @Test func `the detail view has the same moment in its head, chart and figures`() {
        var scene = minute(columns: 120, rows: 36)
        scene.select("NAS")
        scene.press(.enter, .character("f"))
        back(55, in: &scene)
        for _ in 0..<20 where !scene.screen.contains(" at 14:03:19 down") { scene.press(.left) }
        #expect(scene.line("at 14:03:19").contains("down for 8s: ×"))
        #expect(scene.line("sent ").split(separator: " ").suffix(3) == ["sent", "48", "75"])
        scene.press(.escape)
        #expect(scene.line("up for").contains("up for 25s"))
    }

    @Test func `a reload behind a frozen screen is seen after the thaw`() {
        var scene = minute()
        scene.select("NAS")
        scene.press(.enter, .character("f"))
        let router = Target.make("Router", url: "icmp://192.168.1.1")
        scene.send(.settings(Settings(targets: [router]), at: scene.now))
        scene.wait(.seconds(5))
        #expect(scene.screen.contains("tcp://nas.local:445"))
        scene.press(.character("r"), .character(" "), .character("x"), .character("f"))
        #expect(!scene.screen.contains("tcp://nas.local:445"))
        #expect(scene.screen.contains("192.168.1.1"))
    }

    @Test func `in the graphs the arrows move the cursor while they are frozen`() {
        var scene = minute(columns: 120)
        scene.press(.character("3"), .character("f"))
        let frozen = scene.screen
        #expect(frozen.contains("read the past"))
        back(115, in: &scene)
        #expect(scene.screen.contains(" at 14:03:1"))
        #expect(scene.line("NAS").contains("○ NAS"))
        #expect(scene.line("NAS").hasSuffix(" ×"))
        for _ in 0..<115 { scene.press(.right) }
        #expect(scene.screen == frozen)
    }

    @Test func `the wall freezes too, and its arrows still move`() {
        var scene = minute(columns: 120)
        scene.press(.character("2"), .character("f"))
        let frozen = scene.screen
        scene.hear("xxx", from: "NAS")
        #expect(scene.screen == frozen)
        #expect(!frozen.contains("read the past"))
        scene.press(.right)
        #expect(scene.screen.contains("nas.local"))
        scene.press(.character("f"))
        #expect(scene.screen.contains("down"))
    }

    @Test func `esc from a target leads back to the wall it was opened in`() {
        var scene = minute(columns: 120)
        scene.press(.character("2"))
        let wall = scene.screen
        scene.press(.enter, .character("e"), .escape)
        #expect(scene.screen.contains("Round trips of the last 1m"))
        scene.press(.escape)
        #expect(scene.screen == wall)
    }

    @Test func `the farewell is of the present`() {
        var scene = minute()
        scene.press(.character("f"), .left)
        scene.hear("xxx", from: "NAS")
        let farewell = scene.model.farewell().text
        #expect(!farewell.contains("FROZEN"))
        #expect(farewell.contains("○ NAS"))
    }
}
