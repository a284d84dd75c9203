import Foundation
import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The golden screens: each in Unicode, in ASCII, without colours if the text differs, and with the role of each style.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `each screen equals its golden file`(golden: GoldenCase) throws {
        let model = golden.model(inASCII: false)
        let frame = model.drawn(in: .roles)
        // In a theme without colours, some characters differ, as in the wall.
        let colourless = model.drawn(in: Theme(.mono)).text
        let plain = golden.model(inASCII: true).drawn(in: .roles).text
        let picture = """
            \(frame.text)
            == in ASCII
            \(plain)
            == \(colourless == frame.text ? "styles" : "without colours\n\(colourless)\n== styles")
            \(frame.map(Theme.letter))
            \(Theme.legend)
            """
        try expectGolden(picture, golden.file)
        #expect(plain.filter { !$0.isASCII } == "")
        #expect(!frame.map(Theme.letter).contains("?"), "a style has no letter")
    }

    @Test(arguments: GoldenCase.all)
    func `a theme changes only styles, each by its role`(golden: GoldenCase) {
        let model = golden.model(inASCII: false)
        let roles = model.drawn(in: .roles)
        let colourless = model.drawn(in: Theme(.mono))
        // A tenth of the themes for each picture, and all of them for any ten pictures in a row.
        let number = GoldenCase.all.firstIndex { $0.file == golden.file } ?? 0
        for (index, (choice, background)) in ThemeTests.cases.enumerated() where (index + number).isMultiple(of: 10) {
            let theme = Theme(choice, on: background)
            let frame = model.drawn(in: theme)
            #expect(frame.text == (choice == .mono ? colourless : roles).text, "\(choice) on \(background)")
            let others = (0..<frame.size.rows * frame.size.columns).filter { index in
                let (row, column) = index.quotientAndRemainder(dividingBy: frame.size.columns)
                let wanted = theme.style(for: roles[column: column, row: row].style)
                let style = frame[column: column, row: row].style
                // Without colours, the wall reverses failing targets, so that they stand out.
                let isFailing = choice == .mono && style == theme[.down].reversed
                return style != wanted && !(isFailing && style == wanted.reversed)
            }
            #expect(others.isEmpty, "\(choice) on \(background): \(others.count) cells, the first is \(others[0])")
        }
    }

    @Test func `the styles of all themes equal their golden file`() throws {
        let themes = ThemeTests.cases.map { choice, background in
            let theme = Theme(choice, on: background)
            let roles = Role.allCases.map { ("\($0)", theme[$0]) }
            let phases = Phase.allCases.map { ("\($0)", theme.style(of: $0)) }
            let lines = (roles + phases).map { "    " + $0.padded(toColumns: 12) + $1.description }
            return ([choice.name + " on \(background)"] + lines).joined(separator: "\n")
        }
        try expectGolden(themes.joined(separator: "\n"), "themes.txt")
    }

    @Test func `the final table has every row and no footer`() throws {
        var scene = Scene.evening(columns: 100, rows: 10)
        scene.press(.end)
        try expectGolden(scene.model.finalScreen().text, "farewell.txt")
    }

    @Test func `the SVG picture of the screen equals its golden file`() throws {
        try expectGolden(Scene.evening(columns: 80, rows: 24).model.picture(), "picture.svg")
    }

    @Test func `every golden file belongs to a test`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: goldenFolder.path)
        let written = Set(GoldenCase.all.map(\.file) + ["themes.txt", "farewell.txt", "picture.svg"])
        #expect(Set(files).subtracting(written).sorted() == [], "no test uses these files – remove them")
    }
}

extension Model {
    /// Draws the screen in a theme.
    fileprivate func drawn(in theme: Theme) -> Frame {
        var model = self
        model.appearance.theme = theme
        return model.draw()
    }
}

extension Style {
    /// The style in reverse video.
    fileprivate var reversed: Style { Style(foreground, attributes.union(.reversed)) }

    /// The colour and the attributes, in words.
    fileprivate var description: String {
        let names: [(Attributes, String)] = [(.bold, "bold"), (.faint, "faint"), (.underline, "underlined")]
        let parts = names.filter { attributes.contains($0.0) }.map(\.1) + (foreground.map { [$0.description] } ?? [])
        return parts.isEmpty ? "plain" : parts.joined(separator: " ")
    }
}

extension Color {
    /// The name in the palette; for a tint, its exact colour, its index among 256, and the name of the one of sixteen.
    fileprivate var description: String {
        let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        let name = (paletteIndex < 8 ? "" : "bright ") + names[Int(paletteIndex) % 8]
        return tint.map { "\($0.rgb.hex), \($0.index), \(name)" } ?? name
    }
}
