import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct RowOrderTests {
    private func names(_ scene: Scene) -> [String] {
        scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
    }

    private func press(_ sort: Sort, in scene: inout Scene) {
        while scene.model.list.sort != sort { scene.press(.character("s")) }
    }

    @Test func `an order by figures is updated once a second`() {
        var scene = Scene([.make("A"), .make("B")])
        scene.receiveOnce(["A": 1, "B": 2])
        press(.last, in: &scene)
        #expect(names(scene) == ["B", "A"])
        scene.receive(.reply(roundTrip: .milliseconds(9)), from: "A", after: .milliseconds(100))
        scene.wait(.milliseconds(100))
        #expect(names(scene) == ["B", "A"])
        scene.wait(.milliseconds(900))
        #expect(names(scene) == ["A", "B"])
    }

    @Test func `an order by health follows a transition immediately`() {
        var scene = Scene([.make("A"), .make("B", fall: 1)])
        scene.receiveOnce(["A": 1, "B": 1])
        press(.health, in: &scene)
        #expect(names(scene) == ["A", "B"])
        scene.receive(.timeout, from: "B", after: .milliseconds(100))
        scene.tick()
        #expect(names(scene) == ["B", "A"])
    }

    @Test func `a filter by health is updated with every tick`() {
        var scene = Scene([.make("A"), .make("B", fall: 1)])
        scene.receiveOnce(["A": 1, "B": 1])
        scene.press(.character("/"))
        scene.type("is:down")
        scene.press(.enter)
        #expect(names(scene).isEmpty)
        scene.receive(.timeout, from: "B", after: .milliseconds(100))
        scene.wait(.milliseconds(100))
        #expect(names(scene) == ["B"])
    }

    @Test func `an order is not recomputed while its inputs are unchanged`() {
        var scene = Scene([.make("A"), .make("B")])
        scene.receiveOnce(["A": 1, "B": 2])
        let basis = scene.model.list.order.basis
        scene.receiveOnce(["A": 3, "B": 1])
        scene.press(.down)
        #expect(scene.model.list.order.basis == basis)
        scene.press(.character("s"))
        #expect(scene.model.list.order.basis != basis)
    }

    @Test(arguments: [
        ("é", ["Café"]), ("e\u{301}", ["Café"]), ("cafe", []), ("ca", ["Café", "CA", "B"]),
        ("nas.local", ["Café", "CA", "B"]),
        ("hall", ["B"]), ("!hall", ["Café", "CA"]), ("a b", ["B"]), ("x", []),
    ])
    func `a filter compares characters, regardless of normalization`(text: String, shown: [String]) {
        var scene = Scene([.make("Café"), .make("CA"), .make("B", group: "Hall")])
        scene.press(.character("/"))
        scene.type(text)
        scene.press(.enter)
        #expect(names(scene) == shown)
    }
}

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
