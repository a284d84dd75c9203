import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Help: all keys and symbols, in as many columns as fit.
@Suite struct HelpTests {
    private func help(columns: Int, rows: Int) -> Scene {
        var scene = Scene.evening(columns: columns, rows: rows)
        scene.press(.character("?"))
        return scene
    }

    @Test(arguments: [Glyphs.unicode, .console, .ascii])
    func `two columns show all of help without scrolling`(glyphs: Glyphs) {
        var scene = glyphs == .unicode ? Scene.evening : .plainEvening
        scene.model.appearance.glyphs = glyphs
        scene.send(.resize(Size(columns: 120, rows: 48)))
        scene.press(.character("?"))
        #expect(!scene.line("Help").contains(" of "))
        for title in KeyTable.sections.map(\.title) + ["Symbols"] {
            #expect(scene.screen.contains("\(title) \(glyphs.rule)"))
        }
        for binding in KeyTable.bindings { #expect(scene.screen.contains(" \(glyphs.spelled(binding.name)) ")) }
    }

    @Test func `sections are separated by blank lines if there is room`() {
        var scene = Scene([.make()], columns: 120, rows: 48)
        scene.press(.character("?"))
        #expect(!scene.line("Help").contains(" of "))
        scene.send(.resize(Size(columns: 80, rows: 88)))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count { $0.isEmpty } >= KeyTable.sections.count)
        #expect(!scene.line("Help").contains(" of "))
    }

    @Test(arguments: [80, 20])
    func `in one column, scrolling reaches every row, and the heading shows the range`(columns: Int) {
        var scene = help(columns: columns, rows: 24)
        var (end, seen) = ("", Set<Substring>())
        while scene.screen != end {
            end = scene.screen
            seen.formUnion(end.split { $0 == " " || $0 == "\n" })
            scene.press(.down, .down, .down)
        }
        for binding in KeyTable.bindings {
            for word in binding.name.split(separator: " ") { #expect(seen.contains(word)) }
            for word in binding.help.split(separator: " ") where columns > 20 { #expect(seen.contains(word)) }
        }
        scene.press(.home, .end)
        #expect(scene.screen == end)
        guard columns > 20 else { return }
        let range = scene.line("Help").split(separator: " ").suffix(4)
        let last = range.first?.split(separator: "–").last
        #expect(last == range.dropFirst(2).first, "the range ends with the last line: \(range)")
    }

    @Test func `on a larger screen, help scrolls back to the top`() {
        var scene = help(columns: 80, rows: 24)
        scene.press(.end)
        scene.send(.resize(Size(columns: 80, rows: 100)))
        #expect(scene.screen.contains("\(KeyTable.sections[0].title) ─"))
        #expect(!scene.line("Help").contains(" of "))
    }

    @Test(arguments: [Glyphs.ascii, .console])
    func `help uses no characters that the terminal lacks`(glyphs: Glyphs) {
        var scene = Scene.plainEvening
        scene.model.appearance.glyphs = glyphs
        scene.press(.character("?"))
        let lacking: Set<Character> = glyphs == .ascii ? ["↑", "↓", "←", "→", "−", "…"] : ["−", "…", "●"]
        #expect(lacking.isDisjoint(with: scene.screen))
        #expect(scene.screen.contains(glyphs == .ascii ? " up k " : " ↑ k "))
    }

    @Test func `each key has one action, and each action has a key`() {
        let keys = KeyTable.bindings.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
        #expect(Set(KeyTable.bindings.map(\.action)) == Set(Action.allCases))
        #expect(KeyTable.bindings.count == Action.allCases.count)
    }
}
