import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

@Suite struct WallCellTests {
    @Test(arguments: [Glyphs.unicode, .console, .ascii], [ThemeChoice.mono, .dark])
    func `each level has its own glyph`(glyphs: Glyphs, theme: ThemeChoice) {
        let appearance = Appearance(theme: Theme(theme), glyphs: glyphs)
        let levels = (0...WallCell.levels.count).map { WallCell.glyph(ofLevel: $0, appearance) }
        let others = [glyphs.degraded, glyphs.down, glyphs.blocked, glyphs.paused, glyphs.unknown]
        #expect(Set(levels + others).count == levels.count + others.count)
    }

    @Test func `with colours, fast targets are dimmed`() {
        let appearance = Appearance(theme: Theme(.dark), glyphs: .unicode)
        let levels = (0...WallCell.levels.count).map { level in
            (WallCell.glyph(ofLevel: level, appearance), WallCell.style(ofLevel: level, appearance))
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
        let cell = { (positions: Range<Int>) in try #require(WallCell(Array(positions)[...], of: summaries)) }
        #expect(try cell(0..<1).glyph(appearance) == "~")
        #expect(try cell(0..<1).style(appearance) == appearance[.degraded])
        #expect(try cell(1..<2).glyph(appearance) == "!")
        #expect(try cell(1..<2).style(appearance) == appearance[.down])
        #expect(try cell(1..<4).position == 1)
        #expect(try cell(2..<4).glyph(appearance) == "▣")
    }
}
