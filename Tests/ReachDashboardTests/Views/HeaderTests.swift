import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The first line: what stays in it on narrow terminals, and clicks on its counts.
@Suite struct HeaderTests {
    private func scene(columns: Int) -> Scene {
        let names = ["Up", "Down", "Other", "Paused", "New"]
        var scene = Scene(names.map { .make($0) }, columns: columns)
        scene.receiveTogether(["Up": "rrr", "Down": "ttt", "Other": "ttt", "Paused": "rrr"])
        scene.select("Paused")
        scene.press(.character(" "))
        scene.select("Other")
        scene.press(.character("A"))
        scene.type("known")
        scene.press(.enter)
        return scene
    }

    private func header(_ scene: Scene) -> String {
        String(scene.screen.prefix { $0 != "\n" })
    }

    @Test func `words are omitted before counts, and name, counts and time stay`() {
        let wide = header(scene(columns: 120))
        #expect(wide.contains("5 targets   ● 1 up  ○ 2 down  ? 1 unknown  ‖ 1 paused  (✓ 1 acknowledged)   "))
        let narrow = header(scene(columns: 60))
        #expect(narrow.hasPrefix(" reach "))
        #expect(narrow.contains("  ●1 ○2 ?1 ‖1 (✓1)   "))
        let clock = wide.suffix(8)
        for columns in stride(from: 32, through: 160, by: 3) {
            let line = header(scene(columns: columns))
            #expect(line.hasSuffix(clock))
            #expect(line.contains("✓"))
        }
    }

    @Test func `a frozen screen shows its counts`() {
        var scene = scene(columns: 60)
        scene.press(.character("f"))
        #expect(header(scene).contains("  ●1 ○2 ?1 ‖1 (✓1)   FROZEN "))
    }

    @Test func `with a filter, the line says how many targets match`() {
        for (columns, expected) in [(120, " 2 of 5 targets   ● 1 up"), (50, " 2 of 5   ●1 ○2")] {
            var scene = scene(columns: columns)
            scene.press(.character("/"))
            scene.type("is:down")
            #expect(header(scene).contains(expected))
        }
    }

    @Test(arguments: [60, 120])
    func `a click on a count filters by it`(columns: Int) throws {
        let links: [(Character, String)] = [("○", "is:down"), ("✓", "is:acknowledged"), ("‖", "is:paused")]
        for (glyph, filter) in links {
            var scene = scene(columns: columns)
            let line = header(scene)
            let start = try #require(line.firstIndex(of: glyph))
            let column = line.distance(from: line.startIndex, to: start)
            scene.press(.character("m"), .click(Position(column: column, row: 0)))
            #expect(scene.model.list.filter.text == filter)
        }
    }
}

/// The heights of the table and of the events below it.
@Suite struct AreasTests {
    @Test func `the events take the height below a short table, whatever is filtered or folded`() {
        var scene = Scene(Scene.home(["NAS", "Router"]), columns: 80, rows: 24)
        func row() -> Int? {
            scene.screen.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix(" Events") }
        }
        let before = row()
        #expect(before == 2 + scene.model.rows.count + 1 + scene.model.areas.chart.rows)
        scene.press(.home, .left)
        #expect(row() == before)
        scene.press(.character("/"))
        scene.type("nas")
        #expect(row() == before)
    }
}
