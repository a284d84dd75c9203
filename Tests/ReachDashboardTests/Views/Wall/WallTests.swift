import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The wall: drawing and navigation.
@Suite struct WallTests {
    private static let sizes = [64, 90, 31, 7]

    /// A wall that is too low for dots of two columns.
    private func wall(_ sizes: [Int] = sizes, columns: Int = 80, rows: Int = 18) -> Scene {
        var scene = Scene.halls(sizes, columns: columns, rows: rows)
        scene.press(.character("2"))
        return scene
    }

    /// The name of the selected target.
    private func name(_ scene: Scene) -> String? {
        guard case .target(let id) = scene.model.selection.id else { return nil }
        return scene.model.roster[id]?.target.name
    }

    @Test func `ten thousand targets fit on one screen`() {
        let scene = wall([2_400, 1_700, 3_100, 900, 1_900], columns: 200, rows: 50)
        #expect(scene.screen.contains("each cell shows the worst of 2"))
    }

    @Test func `the arrows move in two dimensions, across groups`() {
        var scene = wall()
        #expect(name(scene) == "1-0")
        scene.press(.right, .right, .right)
        #expect(name(scene) == "1-3")
        scene.press(.down)
        #expect(name(scene) == "2-3")
        scene.press(.down)
        #expect(name(scene) == "2-81")
        scene.press(.down, .down)
        #expect(name(scene) == "4-3")
        scene.press(.down, .left, .left, .left)
        #expect(name(scene) == "4-0")
        // Along the cells, from one line to the next.
        scene.press(.left)
        #expect(name(scene) == "3-30")
        scene.press(.up)
        #expect(name(scene) == "2-89")
        scene.press(.right)
        #expect(name(scene) == "3-0")
        scene.press(.home, .up, .left)
        #expect(name(scene) == "1-0")
        scene.press(.end, .down, .right)
        #expect(name(scene) == "4-6")
    }

    @Test func `page keys move by groups`() {
        var scene = wall()
        scene.press(.pageDown)
        #expect(name(scene) == "2-0")
        scene.press(.pageDown, .right, .right, .pageUp)
        #expect(name(scene) == "3-0")
        scene.press(.pageUp)
        #expect(name(scene) == "2-0")
        scene.press(.pageUp, .pageUp)
        #expect(name(scene) == "1-0")
        scene.press(.pageDown, .pageDown, .pageDown, .pageDown)
        #expect(name(scene) == "4-6")
    }

    @Test func `switching views keeps the selection`() {
        var scene = wall()
        scene.press(.down, .right, .character("1"))
        #expect(scene.line("▸").contains("2-1 "))
        scene.press(.tab)
        #expect(scene.line("2-1 ").contains("icmp 10.1.0.2"))
        #expect(!scene.screen.contains("TARGET"))
        scene.press(.escape)
        #expect(scene.screen.contains("TARGET"))
        #expect(name(scene) == "2-1")
    }

    @Test func `the wall shows folded groups, the table then selects their heading`() {
        var scene = Scene.halls(Self.sizes, columns: 80, rows: 24)
        scene.press(.left, .character("2"))
        #expect(scene.screen.contains("▫ <"))
        #expect(name(scene) == "1-0")
        scene.press(.right, .right, .character("1"))
        #expect(scene.line("▸").contains("▹ Hall 1"))
    }

    @Test func `space pauses only the selected target`() throws {
        var scene = wall()
        scene.press(.right, .character(" "))
        let id = try #require(scene.id("1-1"))
        #expect(scene.effects.last?.requests == [.forget([id])])
        #expect(scene.screen.contains("\n ▫‖▫"))
        #expect(scene.line("‖ 1-1").contains("paused"))
        scene.press(.character("x"))
        #expect(scene.screen.contains("run once 1-1 is reachable:"))
    }

    @Test func `n and N select the next and previous failing target`() {
        var scene = wall()
        scene.press(.character("n"))
        #expect(name(scene) == "1-5")
        #expect(scene.line("◐ 1-5").contains("degraded"))
        scene.press(.character("n"))
        #expect(name(scene) == "1-13")
        #expect(scene.line("○ 1-13").contains("down  timeout"))
        scene.press(.character("N"), .character("N"))
        #expect(name(scene) == "2-83")
    }

    @Test func `a cell of several targets shows and selects the worst`() {
        var scene = Scene((0..<40).map { .make("t\($0)", url: "icmp://10.0.0.\($0 + 1)") }, columns: 12, rows: 4)
        for _ in 0..<3 { scene.receiveAll { index, _ in index == 21 ? .timeout : .reply(roundTrip: .milliseconds(1)) } }
        scene.press(.character("2"))
        let layout = WallView(model: scene.model).layout
        #expect(layout.targetsPerCell == 4)
        scene.press(.right, .right, .right, .right, .right)
        #expect(name(scene) == "t21")
        scene.press(.right)
        #expect(name(scene) == "t24")
    }

    @Test func `rows that the dots leave name the failing targets`() {
        var scene = wall([400, 400], columns: 120, rows: 36)
        let below = scene.screen.split(separator: " Failing ─")
        #expect(below.count == 2)
        #expect(below.last?.contains(#/○ 1-13 +timeout/#) == true)
        #expect(below.last?.contains(#/○ 2-1 +timeout/#) == true)
        #expect(below.last?.contains(#/◐ 1-5 +> 500ms/#) == true)
        scene.send(.resize(Size(columns: 40, rows: 12)))
        #expect(!scene.screen.contains("Failing"))
        for _ in 0..<3 { scene.receiveAll { _, _ in .reply(roundTrip: .milliseconds(1)) } }
        scene.send(.resize(Size(columns: 120, rows: 36)))
        #expect(!scene.screen.contains("Failing"))
    }

    @Test func `failing targets beyond the last row are counted`() {
        let targets = (0..<400).map { Target.make("host-\($0)", url: "icmp://10.0.0.1", fall: 1) }
        var scene = Scene(targets, columns: 80, rows: 24)
        scene.press(.character("2"))
        scene.receiveAll { _, _ in .timeout }
        let list = scene.screen.split(separator: " Failing ─").last?.split(separator: "▫ <10ms").first ?? ""
        let named = list.ranges(of: "○ host-").count
        #expect(list.contains("and \(400 - named) more"), "\(list)")
    }

    @Test func `sorting and filtering apply to the wall`() {
        var scene = wall()
        scene.press(.character("s"))
        #expect(scene.screen.contains(" by health, failing first"))
        scene.press(.character("S"))
        #expect(scene.screen.contains(" by health, failing first, reversed"))
        scene.press(.character("S"))
        #expect(name(scene) == "1-0")
        scene.press(.character("/"))
        scene.type("is:down")
        scene.press(.enter)
        #expect(!scene.screen.contains("▫▫"))
        scene.press(.escape)
        #expect(scene.screen.contains("▫▫"))
        scene.press(.character("/"))
        scene.type("nothing like it")
        scene.press(.enter, .right, .down, .end)
        #expect(scene.screen.contains("no target matches \"nothing like it\""))
    }

    @Test(arguments: [([1], 1, 1), ([5_000], 1, 1), ([3, 900, 1], 20, 3), (Array(repeating: 2, count: 400), 30, 8)])
    func `every target has a cell, at any size`(sizes: [Int], columns: Int, rows: Int) {
        let scene = Scene.halls(sizes, columns: 80, rows: 24)
        let layout = WallLayout(
            WallSection.sections(of: scene.model.list.order),
            nameWidth: scene.model.list.texts.nameWidth,
            columns: columns,
            rows: rows
        )
        let drawn = layout.lines.flatMap { line in
            line.cells.flatMap { layout.targets(ofCell: $0, in: line.section) }
        }
        #expect(drawn == Array(scene.model.roster.states.indices))
        #expect(layout.height <= rows)
        #expect(layout.lines.allSatisfy { $0.cells.count <= max(1, columns - layout.indent) })
    }
}

@Suite struct WallCellTests {
    @Test(arguments: [Glyphs.unicode, .console, .ascii], [ThemeChoice.mono, .dark])
    func `each level has its own glyph`(glyphs: Glyphs, theme: ThemeChoice) {
        let appearance = Appearance(theme: Theme(theme), glyphs: glyphs)
        let levels = (0..<WallScale().count).map { WallCell.glyph(ofLevel: $0, appearance) }
        let others = [glyphs.degraded, glyphs.down, glyphs.blocked, glyphs.paused, glyphs.unknown]
        #expect(Set(levels + others).count == levels.count + others.count)
    }

    @Test func `with colours, fast targets are dimmed`() {
        let appearance = Appearance(theme: Theme(.dark), glyphs: .unicode)
        let levels = (0..<WallScale().count).map { level in
            (
                WallCell.glyph(ofLevel: level, appearance),
                WallCell.style(ofLevel: level, of: WallScale().count, appearance)
            )
        }
        #expect(levels.map(\.0) == ["▫", "▪", "■", "▣"])
        #expect(Set(levels.map(\.1)).count == 3)
        #expect(levels.first?.1.attributes == .faint)
    }

    @Test func `a cell marks targets that are flapping or cannot be probed, even among others`() throws {
        let appearance = Appearance(theme: Theme(.dark), glyphs: .unicode)
        var scene = Scene(["Radio", "Gateway", "NAS", "Slow"].map { .make($0, fall: 1) })
        scene.receive("rrrrrrrrrrrrrrrrrrrtrtrtrtrr", from: "Radio")
        scene.receive(.fault(Fault(.permission, detail: "no permission")), from: "Gateway")
        scene.receive([1, 1], from: "NAS")
        scene.receive([260], from: "Slow")
        let summaries = scene.model.roster.states.targetSummaries
        let cell = { (positions: Range<Int>) in
            try #require(WallCell(Array(positions)[...], of: summaries, scale: WallScale()))
        }
        #expect(try cell(0..<1).glyph(appearance) == "~")
        #expect(try cell(0..<1).style(appearance) == appearance[.degraded])
        #expect(try cell(1..<2).glyph(appearance) == "!")
        #expect(try cell(1..<2).style(appearance) == appearance[.down])
        #expect(try cell(1..<4).position == 1)
        #expect(try cell(2..<4).glyph(appearance) == "▣")
    }
}
