import Foundation
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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
                // Without colours, the selected row has no colours of problems to keep.
                let isSelected = choice == .mono && style == Style(nil, .reversed)
                let isExpected =
                    isFailing && style == wanted.reversed || isSelected && wanted.attributes.contains(.reversed)
                return style != wanted && !isExpected
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

/// A golden screen: the keys that lead to it, and its size.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    let name: String
    let size: Size
    private let isWall: Bool
    private let act: @Sendable (inout Scene) -> Void

    var testDescription: String { "\(name)-\(size.columns)x\(size.rows)" }
    var file: String { "\(testDescription).txt" }

    /// The model of the screen, in ASCII or in Unicode.
    func model(inASCII isASCII: Bool) -> Model {
        var scene = isWall ? Scene.halls(for: size) : isASCII ? .plainEvening : .evening
        scene.model.appearance.glyphs = isASCII ? .ascii : .unicode
        scene.send(.resize(size))
        act(&scene)
        return scene.model
    }

    private static let small = [Size(columns: 20, rows: 5), Size(columns: 40, rows: 10)]
    private static let low = Size(columns: 80, rows: 24)
    private static let middle = Size(columns: 120, rows: 36)
    private static let usual = [low, middle, Size(columns: 200, rows: 50)]

    /// All golden screens.
    static let all: [GoldenCase] = [
        cases("table", small + usual) { _ in },
        cases("table-sorted", [low]) { $0.press(.character("s"), .character("S"), .character("G"), .left) },
        cases("wall", small + usual, isWall: true) { scene in
            scene.press(.character("2"), .right, .character(" "), .character("n"), .character("n"))
            // The status message of the pause would hide the keys.
            scene.wait(.seconds(5))
        },
        cases("wall-evening", small + usual) { $0.press(.character("2")) },
        cases("columns", small + usual) { $0.press(.character("C"), .right, .character(" "), .down) },
        cases("graphs", small + usual) { $0.press(.character("3")) },
        cases("vantage", small + usual) { scene in
            scene.showFleet(.fleet)
            scene.press(.character("5"), .down, .down)
        },
        cases("vantage-many", [small[1]] + usual) { scene in
            scene.showFleet(.manyVantagePoints)
            scene.press(.character("5"), .right, .right, .down)
        },
        cases("vantage-none", [small[1], low]) { $0.press(.character("5")) },
        cases("vantage-detail", [low, middle]) { scene in
            scene.showFleet(.fleet)
            scene.open("Login")
        },
        cases("vantage-table", [low, middle]) { $0.showFleet(.fleet) },
        cases("paths", small + [Size(columns: 40, rows: 12)] + usual) { scene in
            scene.showProvider()
            scene.press(.down, .down, .down)
        },
        cases("paths-unfolded", [middle]) { scene in
            scene.showProvider()
            scene.press(.down, .down, .down, .down, .enter, .down, .down)
        },
        cases("paths-frozen", [low, middle]) { scene in
            scene.showProvider()
            scene.press(.character("f"))
            for _ in 0..<12 { scene.press(.left) }
        },
        cases("paths-none", [small[1], low]) { scene in
            scene.showFleet(.fleet)
            scene.press(.character("6"))
        },
        cases("path", small + usual) { $0.showProviderPath(to: "Office 3") },
        cases("path-ended", [Size(columns: 40, rows: 12)] + usual) { $0.showProviderPath(to: "Shop") },
        cases("path-frozen", [low, middle]) { scene in
            scene.showProviderPath(to: "Shop")
            scene.press(.character("f"))
            for _ in 0..<40 { scene.press(.left) }
        },
        cases("path-none", [small[1], low]) { scene in
            scene.select("Uplink")
            scene.press(.character("p"))
        },
        cases("graphs-frozen", [middle]) { scene in
            scene.press(.character("3"), .character("f"))
            for _ in 0..<20 { scene.press(.left) }
        },
        cases("comparison", small + usual) { scene in
            scene.press(.character("v"), .down, .character("v"), .down, .character("v"), .character("V"))
            // The status message would hide the keys.
            scene.wait(.seconds(5))
        },
        cases("wall-names", [middle, usual[2]], isWall: false) { scene in
            scene.press(.character("2"), .character("F"))
            scene.wait(.seconds(5))
        },
        cases("strips", small + usual) { $0.pressWithHistory(.character("4")) },
        cases("strips-hour", [middle]) { $0.pressWithHistory(.character("4"), .character("-")) },
        cases("strips-week", [middle]) { $0.pressWithHistory(.character("4"), .character("+"), .left, .left) },
        cases("strips-month", usual) { scene in
            scene.pressWithHistory(.character("4"), .character("+"), .character("+"), .character("["))
        },
        cases("strips-quarter", [middle]) { scene in
            scene.pressWithHistory(.character("4"), .character("+"), .character("+"), .character("+"), .down, .down)
        },
        cases("strips-off", [low]) { scene in
            scene.press(.character("4"))
            scene.refuseHistory()
        },
        cases("strips-reading", [low]) { $0.press(.character("4")) },
        cases("detail", small + usual) { $0.open("Shop") },
        cases("detail-past", usual) { scene in
            scene.select("NAS")
            scene.pressWithHistory(.enter)
        },
        cases("detail-end", [low]) { scene in
            scene.open("Shop")
            scene.press(.end)
        },
        cases("detail-icmp", usual) { $0.open("Router") },
        cases("detail-down", usual) { $0.open("NAS") },
        cases("detail-frozen", [middle]) { scene in
            scene.open("Shop")
            scene.press(.character("f"))
            for _ in 0..<70 { scene.press(.left) }
        },
        cases("events", usual) { $0.press(.character("e")) },
        cases("hooks", small + usual) { $0.press(.character("h"), .down) },
        cases("hooks-elsewhere", usual) { scene in
            scene.send(.hookOwner(.process(4_711)))
            scene.press(.character("h"))
        },
        cases("hooks-output", [low]) { $0.press(.character("h"), .down, .down, .enter) },
        cases("help", small + usual) { $0.press(.character("?")) },
        cases("filter", usual) { scene in
            scene.press(.character("/"))
            scene.type("is:up !radio")
        },
        cases("filter-wrong", [low]) { scene in
            scene.press(.character("/"))
            scene.type("is:dwon shop")
        },
        cases("palette", small + usual) { scene in
            scene.press(.character(":"))
            scene.type("s")
            scene.press(.down)
        },
        cases("question", small + [low]) { $0.press(.character("P")) },
        cases("arming", usual) { scene in
            scene.press(.character("x"))
            scene.type("30m: rsy")
        },
        cases("frozen", usual) { scene in
            scene.press(.character("f"))
            for _ in 0..<12 { scene.press(.left) }
        },
    ].flatMap(\.self)

    private static func cases(
        _ name: String,
        _ sizes: [Size],
        isWall: Bool = false,
        _ act: @escaping @Sendable (inout Scene) -> Void
    ) -> [GoldenCase] {
        sizes.map { GoldenCase(name: name, size: $0, isWall: isWall, act: act) }
    }
}

/// Whether golden files are written instead of compared.
let isUpdatingGolden = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

/// The folder of the golden files.
let goldenFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

/// Compares a picture with its golden file. `UPDATE_GOLDEN=1` writes the file instead.
func expectGolden(
    _ picture: String,
    _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = goldenFolder.appending(path: name)
    if isUpdatingGolden {
        try (picture + "\n").write(to: file, atomically: true, encoding: .utf8)
        return
    }
    guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
        Issue.record("\(name) not found – create it with UPDATE_GOLDEN=1", sourceLocation: sourceLocation)
        return
    }
    let (expected, actual) = (
        golden.dropLast().split(separator: "\n", omittingEmptySubsequences: false),
        picture.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let differences = (0..<max(expected.count, actual.count)).compactMap { index -> String? in
        let (old, new) = (index < expected.count ? expected[index] : "", index < actual.count ? actual[index] : "")
        return old == new ? nil : "line \(index + 1)\n- \(old)\n+ \(new)"
    }
    #expect(
        differences.isEmpty,
        "\(name) differs:\n\(differences.joined(separator: "\n"))",
        sourceLocation: sourceLocation
    )
}

/// Compares a text with a part of a documentation page, between the first `start` and the next `end`. `UPDATE_GOLDEN=1`
/// writes the page instead.
func expectPage(
    _ path: String,
    has text: String,
    between start: String,
    and end: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../\(path)").standardized
    let page = try String(contentsOf: file, encoding: .utf8)
    let opening = try #require(page.firstRange(of: start), "\(path) has no \(start)", sourceLocation: sourceLocation)
    let rest = page[opening.upperBound...]
    let closing = try #require(rest.firstRange(of: end), "\(path) has no \(end)", sourceLocation: sourceLocation)
    if isUpdatingGolden {
        try (page[..<opening.upperBound] + text + page[closing.lowerBound...])
            .write(to: file, atomically: true, encoding: .utf8)
        return
    }
    #expect(
        rest[..<closing.lowerBound] == text,
        "\(path) is out of date – update it with UPDATE_GOLDEN=1 swift test --filter DashboardTests",
        sourceLocation: sourceLocation
    )
}
