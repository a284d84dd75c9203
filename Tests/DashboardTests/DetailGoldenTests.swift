import Dashboard
import Monitoring
import Screen
import TestSupport
import Testing

/// The detail view as it is drawn.
@Suite struct DetailGoldenTests {
    @Test(arguments: [(80, 24), (120, 36), (200, 50)])
    func `the detail view is drawn like this`(columns: Int, rows: Int) throws {
        try expectGolden(DetailScene.shop(columns: columns, rows: rows).screen, "detail-\(columns)x\(rows)")
    }

    @Test func `what does not fit is reached by scrolling`() throws {
        var scene = DetailScene.shop(columns: 80, rows: 24)
        scene.press(.end)
        try expectGolden(scene.screen, "detail-end-80x24")
    }

    @Test func `ASCII draws the same with other letters`() throws {
        let screen = DetailScene.shop(columns: 120, rows: 36, glyphs: .ascii).screen
        try expectGolden(screen, "detail-ascii-120x36")
        #expect(!screen.contains { !$0.isASCII })
    }

    @Test(arguments: [ThemeChoice.dark, .mono])
    func `its styles stand where they mean something`(theme: ThemeChoice) throws {
        let frame = DetailScene.shop(columns: 120, rows: 36, theme: theme).model.draw()
        try expectGolden(frame.map(GoldenTests.letter), "detail-styles-\(theme.rawValue)-120x36")
    }
}
