import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The screen in ASCII.
@Suite struct ASCIITests {
    private static let views = ["", "2", "3", "e", "h", "H", "?", "/", "x", "f", "s", "S", "m"]

    @Test(arguments: views)
    func `every view is drawn in ASCII only, at any size`(view: String) {
        for isDetail in [false, true] {
            var scene = Scene.plainEvening
            scene.model.appearance.glyphs = .ascii
            if isDetail { scene.open("NAS") }
            scene.type(view)
            if view == "h" || view == "H" { scene.press(.down) }
            for columns in [1, 20, 33, 62, 80, 120, 200] {
                for rows in [1, 5, 24, 50] {
                    scene.send(.resize(Size(columns: columns, rows: rows)))
                    let others = Set(scene.screen.filter { !$0.isASCII })
                    #expect(others.isEmpty, "\(columns)x\(rows): \(others)")
                }
            }
        }
    }

    @Test func `status messages and the final table are in ASCII only`() {
        var scene = Scene.plainEvening
        scene.model.appearance.glyphs = .ascii
        for key in "yrR tnNpp" {
            scene.type(String(key))
            #expect(scene.screen.filter { !$0.isASCII } == "")
        }
        scene.type("hgx")
        #expect(scene.screen.hasSuffix("--del~"))
        #expect(scene.screen.filter { !$0.isASCII } == "")
        #expect(scene.model.finalScreen().text.filter { !$0.isASCII } == "")
    }
}
