import Monitoring
import Screen
import Testing

@testable import Dashboard

@Suite struct WallCellTests {
    @Test(arguments: [Glyphs.unicode, .console, .ascii])
    func `without colours, each level has its own glyph`(glyphs: Glyphs) {
        let appearance = Appearance(theme: Theme(.mono), glyphs: glyphs)
        let levels = (0...WallCell.levels.count).map { WallCell.glyph(ofLevel: $0, appearance) }
        let others = [glyphs.degraded, glyphs.down, glyphs.blocked, glyphs.paused, glyphs.unknown]
        #expect(Set(levels + others).count == levels.count + others.count)
    }

    @Test func `with colours, fast targets are dimmed`() {
        let appearance = Appearance(theme: Theme(.dark), glyphs: .unicode)
        let levels = (0...WallCell.levels.count).map { level in
            (WallCell.glyph(ofLevel: level, appearance), WallCell.style(ofLevel: level, appearance))
        }
        #expect(levels.map(\.0) == ["▪", "▪", "■", "▣"])
        #expect(Set(levels.map(\.1)).count == 3)
        #expect(levels.first?.1.attributes == .faint)
    }
}
