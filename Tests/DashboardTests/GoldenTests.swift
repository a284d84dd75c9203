import Foundation
import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Every screen as it is drawn: its letters, those of ASCII, those without colours where they differ, and the role of each
/// style.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `each screen is drawn like this`(golden: GoldenCase) throws {
        let model = golden.model(inASCII: false)
        let frame = model.drawn(in: .roles)
        // Where letters tell what colours did, as in the wall.
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
    func `a theme changes the styles and nothing else, each by its table`(golden: GoldenCase) {
        let model = golden.model(inASCII: false)
        let roles = model.drawn(in: .roles)
        let colourless = model.drawn(in: Theme(.mono))
        for (choice, background) in ThemeTests.cases {
            let theme = Theme(choice, on: background)
            let frame = model.drawn(in: theme)
            #expect(frame.text == (choice == .mono ? colourless : roles).text, "\(choice) on \(background)")
            let others = (0..<frame.size.rows * frame.size.columns).filter { index in
                let (row, column) = index.quotientAndRemainder(dividingBy: frame.size.columns)
                let wanted = theme.style(instead: roles[column: column, row: row].style)
                return frame[column: column, row: row].style != wanted
            }
            #expect(others.isEmpty, "\(choice) on \(background): \(others.count) cells, the first is \(others[0])")
        }
    }

    @Test func `the themes give their roles these styles`() throws {
        let themes = ThemeTests.cases.map { (name: "\($0.rawValue) on \($1)", theme: Theme($0, on: $1)) }
        let rows = Role.allCases.map { role in
            "\(role)".padded(toColumns: 10) + themes.map { $0.theme[role].words.padded(toColumns: 22) }.joined()
        }
        let head = String(repeating: " ", count: 10) + themes.map { $0.name.padded(toColumns: 22) }.joined()
        let lines = ([head] + rows).map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        try expectGolden(lines.joined(separator: "\n"), "themes.txt")
    }

    @Test func `the farewell has every row and no footer`() throws {
        var scene = Scene.evening(columns: 100, rows: 10)
        scene.press(.end)
        try expectGolden(scene.model.farewell().text, "farewell.txt")
    }

    @Test func `the screen as an SVG picture is this file`() throws {
        try expectGolden(Scene.evening(columns: 80, rows: 24).model.picture(), "picture.svg")
    }

    @Test func `every file among the pictures is written by a test`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: goldenFolder.path)
        let written = Set(GoldenCase.all.map(\.file) + ["themes.txt", "farewell.txt", "picture.svg"])
        #expect(Set(files).subtracting(written).sorted() == [], "no test writes these any more: remove them")
    }
}

extension Model {
    /// The screen in a theme.
    fileprivate func drawn(in theme: Theme) -> Frame {
        var model = self
        model.look.theme = theme
        return model.draw()
    }
}

extension Style {
    /// The colour and the attributes, in words.
    fileprivate var words: String {
        let names: [(Attributes, String)] = [(.bold, "bold"), (.faint, "faint"), (.underline, "underlined")]
        let words = names.filter { attributes.contains($0.0) }.map(\.1) + (foreground.map { ["\($0)"] } ?? [])
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }
}
