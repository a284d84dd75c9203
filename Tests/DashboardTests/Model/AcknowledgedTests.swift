import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Acknowledged targets in table, wall, header, details and filter.
@Suite struct AcknowledgedTests {
    private func failing(columns: Int = 120, glyphs: Glyphs = .unicode) -> Scene {
        let targets = ["NAS", "Web", "Router"].map { Target.make($0, group: "Home", fall: 1) }
        var scene = Scene(targets, columns: columns, glyphs: glyphs)
        scene.receiveTogether(["NAS": "rx", "Web": "rx", "Router": "rr"])
        return scene
    }

    private func acknowledged(_ reason: String = "new switch", glyphs: Glyphs = .unicode) -> Scene {
        var scene = failing(glyphs: glyphs)
        scene.type("A\(reason)")
        scene.press(.enter)
        return scene
    }

    private func role(_ scene: Scene, _ name: String) -> Role? {
        scene.id(name).flatMap { scene.model.roster[$0]?.role }
    }

    @Test(arguments: [(Glyphs.unicode, "✓"), (.console, "√"), (.ascii, "#")])
    func `the row shows the reason in place of the cause`(glyphs: Glyphs, mark: String) {
        let scene = acknowledged(glyphs: glyphs)
        #expect(scene.line("NAS").contains("down \(mark) new switch"))
        #expect(!scene.line("NAS").contains("refused"))
        #expect(scene.line("Web").contains("refused"))
    }

    @Test func `a long reason is truncated`() {
        let scene = acknowledged(String(repeating: "new switch ", count: 20))
        #expect(scene.line("NAS").contains("new swit"))
        #expect(scene.line("NAS").contains("…"))
        #expect(scene.line("NAS").displayWidth <= 120)
    }

    @Test func `a narrow column shows the mark alone`() {
        var scene = acknowledged()
        scene.send(.resize(Size(columns: 20, rows: 10)))
        #expect(scene.line("NAS").hasSuffix("down ✓"))
    }

    @Test func `acknowledged targets recede`() {
        var scene = acknowledged()
        #expect(role(scene, "NAS") == .waiting)
        #expect(role(scene, "Web") == .down)
        #expect(scene.screen.contains("○ 2 down  (✓ 1 acknowledged)"))
        scene.receive("r", from: "NAS")
        #expect(role(scene, "NAS") == .up)
        #expect(!scene.screen.contains("✓"))
    }

    @Test func `nothing in an acknowledged row stands out`() throws {
        var scene = failing()
        let columns = TableColumn.standard + [.availability]
        scene.send(.settings(Settings(targets: scene.model.roster.targets, columns: columns), at: scene.now))
        func styles(_ name: String) throws -> Set<Style> {
            let state = try #require(scene.id(name).flatMap { scene.model.roster[$0] })
            let row = TableRow(state: state, model: scene.model, methodWidth: 4)
            return Set(columns.flatMap { row.segments(of: $0, width: 20) }.map(\.style))
        }
        let appearance = scene.model.appearance
        let loud = [appearance[.down], appearance[.degraded]]
        #expect(try styles("NAS").contains(loud[0]))
        scene.type("Aswitch")
        scene.press(.enter)
        #expect(try styles("NAS").isDisjoint(with: loud))
        #expect(try styles("Web").contains(loud[0]))
    }

    @Test func `failing first puts them after the others`() {
        var scene = acknowledged()
        scene.press(.character("s"))
        #expect(scene.model.list.sort == .health)
        let order = scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
        #expect(order == ["Web", "NAS", "Router"])
    }

    @Test func `the keys for failing targets skip them`() throws {
        var scene = acknowledged()
        let web = try #require(scene.id("Web"))
        for key in ["n", "n", "N", "N"] {
            scene.press(.character(Character(key)))
            #expect(scene.model.selection.id == .target(web))
        }
        scene.type("Aknown")
        scene.press(.enter, .character("n"))
        #expect(scene.screen.contains("only acknowledged targets are failing"))
    }

    @Test func `the filter finds them`() {
        var scene = acknowledged()
        scene.type("/is:acknowledged")
        #expect(scene.model.list.order.positions == [0])
    }

    @Test func `a key on a group acknowledges its failing targets`() {
        var scene = failing()
        scene.press(.home)
        scene.type("A2h: power cut")
        #expect(scene.screen.contains("acknowledge 2 targets: 2h: power cut"))
        scene.press(.enter)
        #expect(scene.screen.contains("acknowledged 2 targets for 2h"))
        #expect(scene.model.roster.states.map(\.isAcknowledged) == [true, true, false])
    }

    @Test func `the details show reason and time left`() {
        var scene = acknowledged("2h: new switch")
        scene.wait(.seconds(120))
        scene.press(.enter)
        #expect(scene.screen.contains("✓ acknowledged: new switch, 1h58m left"))
        scene.press(.character("A"), .enter)
        #expect(!scene.screen.contains("✓ acknowledged"))
        scene.type("Apower cut")
        scene.press(.enter)
        #expect(scene.screen.contains("✓ acknowledged: power cut, until it is up"))
    }

    @Test func `the time ends without a reply`() {
        var scene = acknowledged("2h: new switch")
        scene.wait(.seconds(7_200))
        scene.tick()
        #expect(scene.line("tcp").contains("refused"))
        #expect(scene.screen.contains("acknowledgement ended after 2h"))
    }
}
