import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The palette of all actions.
@Suite struct PaletteTests {
    private func scene(columns: Int = 80, rows: Int = 24) -> Scene {
        var scene = Scene([.make("Router", url: "icmp://192.168.1.1"), .make("NAS")], columns: columns, rows: rows)
        scene.receiveTogether(["Router": "rrr", "NAS": "xxx"])
        return scene
    }

    /// The rows of the palette, without heading and mark.
    private func rows(_ scene: Scene) -> [String] {
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let heading = lines.firstIndex(where: { $0.hasPrefix(" Actions ─") }) else { return [] }
        return lines[(heading + 1)...].dropLast().filter { !$0.isEmpty }.map { String($0.dropFirst()) }
    }

    @Test func `the palette lists each action of the key table once, with its key`() {
        var scene = scene()
        scene.press(.character(":"))
        let expected = KeyTable.bindings.filter { $0.action != .palette }
        var seen: [String] = []
        for _ in expected.indices {
            seen += rows(scene).filter { !seen.contains($0) }
            scene.press(.down)
        }
        #expect(seen.count == expected.count)
        for (row, binding) in zip(seen, expected) {
            let text = "\(binding.name.padded(toColumns: 10))\(binding.help)"
            #expect(row == text.truncated(toColumns: 78, ellipsis: "…"))
        }
    }

    @Test(
        arguments: [
            ("pause", [" ", "P"]), ("PAUSE all", ["P"]), ("svg", ["w"]), ("sort", ["s", "S", "m"]), ("^u", ["PgUp"]),
            ("hook test", ["t"]), ("banana", []),
        ] as [(String, [String])]
    )
    func `words in key or description select actions`(text: String, keys: [String]) {
        let found = KeyTable.bindings(matching: text).map { $0.name.prefix { $0 != " " } }
        #expect(found == keys.map { $0 == " " ? "space" : $0[...] })
    }

    @Test func `a key comes first, then words that begin with the typed ones`() {
        let keys = { (text: String) in KeyTable.bindings(matching: text).map(\.name) }
        #expect(keys("s").first == "s" && keys("S").first == "S" && keys("^R").first == "^R")
        let help = KeyTable.bindings(matching: "all").map(\.help)
        #expect(help.first == "pause or resume all targets; asks first")
        let next = keys("ext")
        #expect(next == ["s", "tab", "]", "↓ j", "n"], "within a word, in the order of the table")
        #expect(keys("test").first == "t")
        #expect(keys("gr") == ["3", "H", "←", "→", "enter", "a"], "what an action is about, then the rest")
    }

    @Test func `enter performs the selected action, esc performs none`() {
        var scene = scene()
        let before = scene.screen
        scene.press(.character(":"))
        scene.type("wall")
        #expect(rows(scene).first?.hasPrefix("2 ") == true)
        scene.press(.escape)
        #expect(scene.screen == before)
        scene.press(.character(":"))
        scene.type("wall")
        scene.press(.enter)
        #expect(scene.model.navigation.view == .wall)
        #expect(scene.model.prompts.current == nil)
    }

    @Test func `arrows, tab and pages move the selection, typing moves it to the first row`() {
        var scene = scene()
        scene.press(.character(":"))
        let choices: [(Key, Int)] = [
            (.down, 1), (.tab, 2), (.up, 1), (.backTab, 0), (.up, 0), (.control("n"), 1), (.control("p"), 0),
            (.pageUp, 0), (.wheelDown, 1), (.wheelUp, 0),
        ]
        for (key, choice) in choices {
            scene.press(key)
            #expect(scene.model.prompts.current?.choice == choice, "\(key)")
        }
        scene.press(.pageDown)
        #expect((scene.model.prompts.current?.choice ?? 0) > 5)
        for _ in 0..<20 { scene.press(.pageDown) }
        #expect(scene.model.prompts.current?.choice == KeyTable.bindings.count - 2)
        #expect(scene.line("▸^C").contains("quit at once"))
        scene.type("p")
        #expect(scene.model.prompts.current?.choice == 0)
    }

    @Test func `without a match the palette says so, and enter does nothing`() {
        var scene = scene()
        scene.press(.character(":"))
        scene.type("banana")
        let nothing = "no action matches – try a word such as pause, filter or help"
        #expect(rows(scene) == [nothing])
        scene.press(.enter, .down, .enter)
        #expect(rows(scene) == [nothing])
        scene.press(.control("c"))
        #expect(rows(scene) == [])
        #expect(!scene.effects.contains(.exit(.quit)))
    }

    @Test func `an action is performed in the view below the palette, or asks first`() {
        var scene = scene()
        scene.press(.enter, .character(":"))
        scene.type("longer")
        let before = scene.line("Round trips")
        scene.press(.enter)
        #expect(scene.line("Round trips") != before)
        scene.press(.character("?"), .character(":"))
        scene.type("resume all")
        scene.press(.enter)
        #expect(scene.screen.hasSuffix("pause all 2 targets?  y yes  n no"))
        scene.press(.escape, .escape, .character(":"))
        scene.type("quit at once")
        scene.press(.enter)
        #expect(scene.effects.last == .exit(.quit))
    }

    @Test func `a click performs an action`() throws {
        var scene = scene()
        scene.press(.character(":"), .down)
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let heading = try #require(lines.firstIndex { $0.hasPrefix(" Actions") })
        scene.press(.click(Position(column: 4, row: heading)), .click(Position(column: 4, row: 0)))
        #expect(scene.model.prompts.current != nil)
        let row = try #require(lines.firstIndex { $0.contains("probe now") })
        scene.press(.click(Position(column: 4, row: row)))
        #expect(scene.effects.last?.requests.isEmpty == false)
        #expect(scene.model.prompts.current == nil)
    }

    @Test(arguments: [Glyphs.unicode, .ascii, .console])
    func `the palette can be drawn at any size and in ASCII`(glyphs: Glyphs) {
        var scene = scene()
        scene.model.appearance.glyphs = glyphs
        scene.press(.character(":"), .down)
        for (columns, rows) in [(1, 1), (3, 2), (5, 3), (20, 4), (20, 5), (40, 10), (200, 50), (300, 150)] {
            scene.send(.resize(Size(columns: columns, rows: rows)))
            if glyphs == .ascii { #expect(scene.screen.allSatisfy { $0.isASCII }) }
            guard rows >= 5 else { continue }
            let mark = String(glyphs.selection)
            #expect(scene.line("\(mark)P").hasPrefix("\(mark)P         pause"))
        }
    }
}
