import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Help: all keys and signs, in as many columns as there is room for.
@Suite struct HelpTests {
    private func help(columns: Int, rows: Int) -> Scene {
        var scene = Scene.evening(columns: columns, rows: rows)
        scene.press(.character("?"))
        return scene
    }

    @Test func `two columns hold all of it without scrolling`() {
        let scene = help(columns: 120, rows: 36)
        #expect(!scene.line("Help").contains(" of "))
        for title in KeyTable.sections.map(\.title) + ["Signs"] { #expect(scene.screen.contains("\(title) ─")) }
        for binding in KeyTable.bindings { #expect(scene.screen.contains(" \(binding.name) ")) }
    }

    @Test func `where there is room, a blank line stands between sections and none after the last`() {
        var scene = Scene([.make()], columns: 120, rows: 36)
        scene.press(.character("?"))
        #expect(!scene.line("Help").contains(" of "))
        scene.send(.resize(Size(columns: 80, rows: 70)))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0.isEmpty } >= KeyTable.sections.count)
        #expect(!scene.line("Help").contains(" of "))
    }

    @Test(arguments: [80, 50, 20])
    func `in one column every row is reached by scrolling, and the head says where one is`(columns: Int) {
        var scene = help(columns: columns, rows: 24)
        var seen = scene.screen
        for _ in 0..<300 {
            scene.press(.down)
            seen += scene.screen
        }
        for binding in KeyTable.bindings {
            #expect(seen.contains(" \(binding.name) "))
            for word in binding.help.split(separator: " ") where columns > 20 { #expect(seen.contains(word)) }
        }
        let end = scene.screen
        scene.press(.home, .end)
        #expect(scene.screen == end)
        guard columns > 20 else { return }
        let place = scene.line("Help").split(separator: " ").suffix(4)
        #expect(place.first == place.dropFirst(2).first, "it ends with the last line: \(place)")
    }

    @Test func `a larger screen leaves nothing scrolled away`() {
        var scene = help(columns: 80, rows: 24)
        scene.press(.end)
        scene.send(.resize(Size(columns: 80, rows: 100)))
        #expect(scene.screen.contains("\(KeyTable.sections[0].title) ─"))
        #expect(!scene.line("Help").contains(" of "))
    }

    @Test(arguments: [Glyphs.ascii, .console])
    func `what the terminal lacks is not in it`(glyphs: Glyphs) {
        var scene = Scene.plainEvening
        scene.model.look.glyphs = glyphs
        scene.press(.character("?"))
        let lacking: Set<Character> = glyphs == .ascii ? ["↑", "↓", "←", "→", "−", "…"] : ["−", "…", "●"]
        #expect(lacking.isDisjoint(with: scene.screen))
        #expect(scene.screen.contains(glyphs == .ascii ? " up k " : " ↑ k "))
    }

    @Test func `no key has two meanings, and every action has a key`() {
        let keys = KeyTable.bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(KeyTable.bindings.map(\.action)) == Set(Action.allCases))
        #expect(KeyTable.bindings.count == Action.allCases.count)
    }
}
