import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The heights of the table and of the events below it.
@Suite struct AreasTests {
    @Test func `the events take the height below a short table, whatever is filtered or folded`() {
        var scene = Scene(Scene.home(["NAS", "Router"]), columns: 80, rows: 24)
        func row() -> Int? {
            scene.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix(" Events") }
        }
        let before = row()
        #expect(before == 2 + scene.model.rows.count + 1)
        scene.press(.home, .left)
        #expect(row() == before)
        scene.press(.character("/"))
        scene.type("nas")
        #expect(row() == before)
    }
}
