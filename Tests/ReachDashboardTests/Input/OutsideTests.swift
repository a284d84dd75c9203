import Foundation
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Copying rows, saving pictures, and the mouse.
@Suite struct OutsideTests {
    private func scene(rows: Int = 20) -> Scene {
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home"),
                .make("NAS", url: "tcp://nas.local:445", group: "Home"),
                .make("Shop", url: "tcp://shop.example.com:443", group: "Cloud"),
            ],
            columns: 110,
            rows: rows
        )
        scene.receiveTogether(["Router": "rrrr", "NAS": "rxxx", "Shop": "rrrr"])
        return scene
    }

    private func click(_ scene: inout Scene, on text: String) {
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.enumerated() {
            guard let range = line.firstRange(of: text) else { continue }
            let column = line.distance(from: line.startIndex, to: range.lowerBound)
            scene.press(.click(Position(column: column, row: row)))
            return
        }
        Issue.record("not on the screen: \(text)")
    }

    // MARK: Copying

    @Test func `y copies the row as text`() {
        var scene = scene()
        scene.press(.down, .character("y"))
        let text = "NAS  tcp://nas.local:445  down  refused  p95 1.0ms  loss 75%  for 2s"
        #expect(scene.effects.last == .copy(text))
        #expect(scene.line("copied").contains("copied the row of NAS"))
    }

    @Test func `y on a group copies the rows of its targets`() {
        var scene = scene()
        scene.press(.home, .character("y"))
        guard case .copy(let text) = scene.effects.last else { return #expect(Bool(false), "nothing was copied") }
        #expect(text.split(separator: "\n").map { $0.prefix(4) } == ["Rout", "NAS "])
        #expect(scene.line("copied").contains("copied the rows of 2 targets"))
    }

    @Test func `y without a row copies nothing`() {
        var scene = Scene([])
        scene.press(.character("y"))
        #expect(!scene.effects.contains { if case .copy = $0 { true } else { false } })
    }

    // MARK: Saving

    @Test func `w saves the screen in a file named after the local time`() throws {
        var scene = Scene.evening(columns: 80, rows: 24)
        scene.press(.character("w"))
        guard case .save(let picture, let name) = scene.effects.last else {
            return #expect(Bool(false), "nothing was saved")
        }
        #expect(name == "reach-2026-11-20-140506.svg")
        #expect(picture == Scene.evening(columns: 80, rows: 24).model.picture())
        scene.send(.notice("saved \(name)"))
        #expect(scene.line("saved").contains(name))
    }

    @Test func `a picture has the background of the theme`() {
        let backgrounds = [ThemeChoice.dark, .light].map { theme in
            Scene([.make()], theme: theme).model.picture().contains(Palette.light.background.hex)
        }
        #expect(backgrounds == [false, true])
        var scene = scene()
        scene.send(.background(.light))
        #expect(scene.model.picture().contains("fill=\"\(Palette.light.background.hex)\""))
    }

    @Test func `a picture has a title that describes it`() {
        let title = "<title id=\"title\">reach dashboard.toml at 14:02:35: 3 targets, 2 up, 1 down</title>"
        #expect(scene().model.picture().contains(title))
    }

    // MARK: The mouse

    @Test func `m turns the mouse on and off, and explains text selection`() {
        var scene = scene()
        #expect(!scene.effects.contains(.mouse(true)))
        scene.press(.character("m"))
        #expect(scene.effects.last == .mouse(true))
        #expect(scene.line("mouse").contains("mouse on: hold shift to select text"))
        scene.press(.character("m"))
        #expect(scene.effects.last == .mouse(false))
    }

    @Test func `a click selects a row`() {
        var scene = scene()
        click(&scene, on: "Shop")
        #expect(scene.line("▸").contains("Shop"))
        click(&scene, on: "Home")
        #expect(scene.line("▸▾").contains("Home"))
    }

    @Test func `a click outside the rows is ignored`() {
        var scene = scene()
        let before = scene.screen
        for row in [0, 8, 9, 15, 300] { scene.press(.click(Position(column: 5, row: row))) }
        #expect(scene.screen == before)
    }

    @Test func `a click in a scrolled table selects the visible row`() {
        var scene = scene(rows: 8)
        scene.press(.end)
        click(&scene, on: "NAS")
        #expect(scene.line("▸").contains("NAS"))
    }

    @Test func `a click on a heading sorts by it, a second click reverses the order`() {
        var scene = scene()
        click(&scene, on: "LOSS")
        #expect(scene.line("LOSS▼").contains("TARGET"))
        click(&scene, on: "OSS")
        #expect(scene.line("LOSS▲").contains("TARGET"))
        click(&scene, on: "HEALTH")
        #expect(scene.line("HEALTH ▼").contains("TARGET"))
        click(&scene, on: "URL")
        #expect(scene.line("URL ▼").contains("HEALTH "))
    }

    @Test func `the wheel moves the selection, or scrolls the topmost view`() {
        var scene = scene()
        scene.press(.wheelDown)
        #expect(scene.line("▸").contains("Shop"))
        scene.press(.wheelUp)
        #expect(scene.line("▸").contains("Router"))
        scene.press(.character("?"), .wheelDown)
        #expect(scene.line("Help").contains(" 4–"))
    }

    @Test func `in the detail view, the wheel scrolls`() {
        var scene = scene(rows: 16)
        scene.press(.enter)
        let top = scene.screen
        scene.press(.wheelDown)
        #expect(scene.model.navigation.detailState?.scroll == 3)
        #expect(scene.screen.contains("● Router") && scene.screen != top)
        scene.press(.wheelUp)
        #expect(scene.screen == top)
    }

    @Test func `a click on a count of the header filters by it, a second click clears the filter`() {
        var scene = scene()
        scene.press(.down, .down)
        let before = scene.screen
        click(&scene, on: "1 down")
        #expect(scene.line("filter:").contains("filter: is:down  esc clears it"))
        #expect(scene.line("▸").contains("NAS"))
        click(&scene, on: "2 up")
        #expect(scene.line("filter:").contains("filter: is:up"))
        click(&scene, on: "● 2 up")
        #expect(scene.screen == before)
        // From another view, the list is shown.
        for key: Key in [.enter, .character("e"), .character("h"), .character("?")] {
            scene.press(key)
            click(&scene, on: "1 down")
            #expect(scene.model.navigation.isAtOverview && scene.model.list.filter.text == "is:down")
            click(&scene, on: "1 down")
            #expect(scene.screen == before)
        }
        for text in ["reach", "3 targets", "14:02:3", "  ○ 1 down"] { click(&scene, on: text) }
        #expect(scene.screen == before)
    }

    @Test func `each count of the header is a filter that matches as many targets`() {
        var scene = Scene.evening(columns: 140, rows: 36)
        scene.receive("f", from: "Shop")
        let header = scene.line("targets")
        let counts = ["up", "slow", "down", "unknown", "blocked", "paused"].filter { header.contains(" \($0)") }
        #expect(counts.count > 3)
        for word in counts {
            let parts = scene.line("targets").split(separator: " ")
            let count = parts.firstIndex { $0 == word }.flatMap { Int(parts[$0 - 1]) }
            click(&scene, on: " \(word)  ")
            if scene.model.list.filter.isEmpty { click(&scene, on: "\(count ?? 0) \(word)") }
            #expect(scene.model.list.order.positions.count == count, "\(word)")
            scene.press(.escape)
        }
    }

    @Test func `a click on a key of the footer presses it, in every view`() {
        for opening: [Key] in [
            [], [.home], [.character("2")], [.character("3")], [.enter], [.character("e")], [.character("h")],
            [.character("?")], [.character("f")], [.enter, .character("f")],
        ] {
            var scene = scene()
            for key in opening { scene.press(key) }
            let footer = scene.screen.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            let hints = footer.split(separator: "  ").map { $0.drop { $0 == " " } }
            #expect(hints.count > 1)
            for hint in hints {
                let name = hint.prefix { $0 != " " }
                let key = KeyTable.bindings.first { $0.name.prefix { $0 != " " } == name }?.keys.first
                var (clicked, pressed) = (scene, scene)
                click(&clicked, on: String(hint))
                if let key { pressed.press(key) }
                #expect(clicked.screen == pressed.screen, "\(hint) after \(opening)")
                #expect(clicked.effects.count == pressed.effects.count)
            }
        }
    }

    @Test func `while a message hides the keys, a click on the footer does nothing`() {
        var scene = scene()
        scene.press(.character("s"))
        let before = scene.screen
        scene.press(.click(Position(column: 2, row: 19)))
        #expect(scene.screen == before)
    }

    @Test func `while a prompt is open, the mouse is ignored`() {
        var scene = scene()
        scene.press(.character("/"))
        let before = scene.screen
        scene.press(.wheelDown, .click(Position(column: 5, row: 5)))
        click(&scene, on: "1 down")
        click(&scene, on: "enter keeps it")
        #expect(scene.screen == before)
    }
}
