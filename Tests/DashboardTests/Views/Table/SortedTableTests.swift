import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The table after a change of its order.
@Suite struct SortedTableTests {
    @Test func `the mark of the order leaves the heading whole, and hides no column`() {
        var scene = Scene([.make("A"), .make("B")], columns: 120)
        func headings() -> String { scene.line("TARGET") }
        let before = headings()
        while !scene.screen.contains("sorted by jitter") { scene.press(.character("s")) }
        #expect(before.contains(" JITTER ") && headings().contains(" JITTER▼"))
        for columns in 60...160 {
            scene.send(.resize(Size(columns: columns, rows: 24)))
            var plain = scene
            plain.press(.character("s"))
            let isShown = headings().contains("JITTE")
            #expect(isShown == plain.line("TARGET").contains("JITTER"))
        }
    }

    @Test func `sorting shows the top of the table`() {
        var scene = Scene.halls([60], columns: 80, rows: 24)
        scene.press(.end, .character("s"))
        #expect(scene.model.selection.scroll == 0)
        #expect(scene.model.selection.id == scene.model.rows[1].id)
        // A selected row that is visible stays selected.
        scene.press(.down, .down)
        let selected = scene.model.selection.id
        scene.press(.character("S"))
        scene.press(.character("S"))
        #expect(scene.model.selection.scroll == 0)
        #expect(scene.model.selection.id == selected || scene.model.selection.index == 1)
    }
}
