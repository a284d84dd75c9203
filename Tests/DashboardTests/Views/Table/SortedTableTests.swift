import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The table after a change of its order.
@Suite struct SortedTableTests {
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
