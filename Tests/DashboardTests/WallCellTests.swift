import Monitoring
import Screen
import Testing

@testable import Dashboard

@Suite struct WallCellTests {
    @Test(arguments: [Glyphs.unicode, .console, .ascii])
    func `without colours, each level of the wall has a sign of its own`(glyphs: Glyphs) {
        let look = Look(theme: Theme(.mono), glyphs: glyphs)
        let levels = (0...WallCell.levels.count).map { WallCell.glyph(ofLevel: $0, look) }
        let others = [glyphs.degraded, glyphs.down, glyphs.blocked, glyphs.paused, glyphs.unknown]
        #expect(Set(levels + others).count == levels.count + others.count)
    }

    @Test func `with colours, the fast ones recede`() {
        let look = Look(theme: Theme(.dark), glyphs: .unicode)
        let levels = (0...WallCell.levels.count).map { level in
            (WallCell.glyph(ofLevel: level, look), WallCell.style(ofLevel: level, look))
        }
        #expect(levels.map(\.0) == ["▪", "▪", "■", "▣"])
        #expect(Set(levels.map(\.1)).count == 3)
        #expect(levels.first?.1.attributes == .faint)
    }
}
