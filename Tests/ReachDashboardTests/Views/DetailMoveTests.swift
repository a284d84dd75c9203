import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Moving between targets in the detail view.
@Suite struct DetailMoveTests {
    private func scene(rows: Int = 24) -> Scene {
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home"), .make("NAS", group: "Home"),
                .make("Shop", url: "tcp://shop.example:80", group: "Cloud"),
                .make("API", url: "tcp://api.example:80", group: "Cloud"),
                .make("Mail", url: "tcp://mail.example:25", group: "Cloud"),
            ],
            columns: 80,
            rows: rows
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "xxx", "Shop": "rrr", "API": "rrr", "Mail": "xxx"])
        return scene
    }

    /// The target shown; nil outside the detail view.
    private func shown(_ scene: Scene) -> String? {
        guard case .detail(let viewState) = scene.model.navigation.view else { return nil }
        return scene.model.roster[viewState.target]?.target.name
    }

    private func selected(_ scene: Scene) -> String? {
        guard case .target(let id) = scene.model.selection.id else { return nil }
        return scene.model.roster[id]?.target.name
    }

    @Test func `arrows show the previous and next target of the list, and the selection follows`() {
        var scene = scene()
        scene.press(.enter)
        for (key, name) in [
            (.up, "Router"), (.down, "NAS"), (.character("j"), "Shop"), (.down, "API"), (.character("k"), "Shop"),
            (.down, "API"), (.down, "Mail"), (.down, "Mail"), (.up, "API"),
        ] as [(Key, String)] {
            scene.press(key)
            #expect(shown(scene) == name)
            #expect(selected(scene) == name)
        }
        scene.press(.escape)
        #expect(scene.line("▸").contains("API"))
    }

    @Test func `n and N show the next and previous failing target`() {
        var scene = scene()
        scene.press(.enter)
        let steps: [(Character, String)] = [("n", "NAS"), ("n", "Mail"), ("n", "NAS"), ("N", "Mail"), ("N", "NAS")]
        for (key, name) in steps {
            scene.press(.character(key))
            #expect(shown(scene) == name && selected(scene) == name)
        }
        scene.receive("r", from: "NAS")
        scene.receive("r", from: "Mail")
        scene.press(.character("n"))
        #expect(shown(scene) == "NAS")
        #expect(scene.screen.contains("nothing is failing"))
    }

    @Test func `the order is that of the list: sorted, filtered, without regard to folds`() {
        var scene = scene()
        scene.press(.home, .left, .end, .left)
        scene.press(.right, .down, .enter)
        #expect(shown(scene) == "Shop")
        scene.press(.up)
        #expect(shown(scene) == "NAS")
        scene.press(.escape)
        // Its group is folded, so the heading is selected.
        #expect(scene.line("▸▹").contains("Home"))
        scene.press(.right, .character("/"))
        scene.type("!nas")
        scene.press(.enter, .character("s"), .home, .down, .enter)
        #expect(shown(scene) == "Mail")
        scene.press(.down)
        #expect(shown(scene) == "Shop")
    }

    @Test func `from a target that the filter hides, an arrow leads to its neighbour`() {
        var scene = scene()
        scene.press(.character("/"))
        scene.type("is:up")
        scene.press(.enter)
        scene.select("Shop")
        scene.press(.enter)
        scene.receive("xxx", from: "Shop")
        scene.tick()
        #expect(shown(scene) == "Shop")
        scene.press(.down)
        #expect(shown(scene) == "API" && selected(scene) == "API")
    }

    @Test func `the scroll position and a selected span stay`() {
        var scene = scene(rows: 16)
        scene.press(.enter, .pageDown)
        let scroll = scene.model.navigation.detailState?.scroll
        #expect((scroll ?? 0) > 0)
        scene.press(.down)
        #expect(scene.model.navigation.detailState?.scroll == scroll)
        scene.press(.home)
        #expect(scene.screen.contains("last 5 minutes") == false)
        scene.press(.character("+"), .down)
        #expect(shown(scene) == "Shop")
        #expect(scene.screen.contains("last 5 minutes"))
    }

    @Test func `without a selected span, each target has its own`() {
        var scene = Scene([.make("A"), .make("B", interval: .seconds(10))])
        scene.press(.enter, .down)
        #expect(scene.screen.contains("last 15 minutes"))
        scene.press(.up)
        #expect(scene.screen.contains("last minute"))
    }

    @Test func `on a frozen screen, the time cursor stays`() {
        var scene = scene()
        scene.wait(.seconds(30))
        scene.press(.enter, .character("f"), .left, .left)
        let cursor = scene.model.cursor
        scene.press(.down)
        #expect(shown(scene) == "NAS" && cursor != nil && scene.model.cursor == cursor)
    }
}
