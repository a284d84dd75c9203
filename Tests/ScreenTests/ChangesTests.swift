import TestSupport
import Testing

@testable import Screen

@Suite struct `Changes between frames` {
    private func frame(_ rows: String..., style: Style = .plain) -> Frame {
        var frame = Frame(size: Size(columns: 20, rows: rows.count))
        for (row, text) in rows.enumerated() {
            frame.write(text, at: Position(column: 0, row: row), style: style)
        }
        return frame
    }

    @Test func `are none between equal frames`() {
        #expect(frame("router", "nas").changes(from: frame("router", "nas")).isEmpty)
        #expect(!frame("router").clearsScreen(after: frame("nas")))
    }

    @Test func `are all cells except blanks if the old frame is unknown or of another size`() {
        let new = frame("", "  up")
        let whole = [Run(Position(column: 2, row: 1), .plain, "up")]
        #expect(new.changes(from: nil) == whole)
        #expect(new.clearsScreen(after: nil))
        #expect(new.changes(from: frame("  up")) == whole)
        #expect(new.clearsScreen(after: frame("  up")))
    }

    @Test func `are the changed cells only`() {
        let runs = frame("12.1ms      up").changes(from: frame("12.9ms    down"))
        #expect(
            runs == [
                Run(Position(column: 3, row: 0), .plain, "1"),
                Run(Position(column: 10, row: 0), .plain, "  up"),
            ]
        )
    }

    @Test func `continue over a gap that is shorter than a cursor movement`() {
        let runs = frame("1abcd2").changes(from: frame("3abcd4"))
        #expect(runs == [Run(Position(column: 0, row: 0), .plain, "1abcd2")])
    }

    @Test func `are runs of one style, with blanks in either`() {
        var new = Frame(size: Size(columns: 20, rows: 1))
        new.write("●", at: Position(column: 0, row: 0), style: Style(.green))
        new.write("router", at: Position(column: 2, row: 0), style: Style(nil, .bold))
        #expect(
            new.changes(from: frame("xxxxxxxx")) == [
                Run(Position(column: 0, row: 0), Style(.green), "● "),
                Run(Position(column: 2, row: 0), Style(nil, .bold), "router"),
            ]
        )
    }

    @Test func `include an underlined or reversed blank, but no other style of a blank`() {
        var new = frame("")
        new.fill(row: 0, columns: 0..<3, style: Style(.red, .bold))
        #expect(new.changes(from: frame("")).isEmpty)
        new.fill(row: 0, columns: 0..<3, style: Style(nil, .reversed))
        #expect(new.changes(from: frame("")) == [Run(Position(column: 0, row: 0), Style(nil, .reversed), "   ")])
    }

    @Test func `paint a wide character whole, and both cells where one was`() {
        #expect(frame("日").changes(from: frame("")).map(\.columns) == [2])
        #expect(frame("").changes(from: frame("日")) == [Run(Position(column: 0, row: 0), .plain, "  ")])
        #expect(frame("x").changes(from: frame("日")) == [Run(Position(column: 0, row: 0), .plain, "x ")])
    }

    @Test func `end a run after a cluster of ambiguous width`() {
        #expect(
            frame("a👨‍👩‍👧x").changes(from: nil) == [
                Run(Position(column: 0, row: 0), .plain, "a  "),
                Run(Position(column: 1, row: 0), contested: "👨‍👩‍👧"),
                Run(Position(column: 3, row: 0), .plain, "x" + String(repeating: " ", count: 7)),
            ]
        )
    }

    @Test func `repaint cells that a cluster may have covered`() {
        let runs = frame("👨‍👩‍👧 2 unchanged").changes(from: frame("abc2 unchanged"))
        #expect(
            runs == [
                Run(Position(column: 0, row: 0), .plain, "  "),
                Run(Position(column: 0, row: 0), contested: "👨‍👩‍👧"),
                Run(Position(column: 2, row: 0), .plain, " 2 uncha"),
            ]
        )
    }

    @Test(arguments: [
        "Router", "日本語", "ｶﾅ", "한국", "cafe\u{301}", "Straße", "Ελλάδα", "Москва", "●▁×⣿…", "ก้",
    ])
    func `letters of common scripts have a known width`(text: String) {
        #expect(frame(text).changes(from: nil).count == 1)
    }

    @Test(arguments: [
        ("שלום 12", ["ם"]), ("שלום עולם  40ms", ["ם"]), ("خادم  خادم", ["م", "م"]), ("שלום", ["ם"]), ("a1 ●", []),
    ])
    func `find the ends of right-to-left words`(text: String, ends: [String]) {
        let runs = frame(text).changes(from: nil)
        #expect(runs.filter(\.reordersFollowing).map(\.text) == ends)
        #expect(runs.allSatisfy { $0.isContested || !$0.reordersFollowing })
    }

    @Test(
        arguments: [
            "👍", "👍🏽", "🇩🇪", "1\u{FE0F}\u{20E3}", "❤\u{FE0F}", "⌚", "का", "น้ำ", "ข็", "\u{1112}\u{1161}\u{11AB}", "\u{E0B0}",
            "﷽",
            "𝒳", "𒐫", "ہ\u{200D}",
        ] as [Character]
    )
    func `characters whose width has changed have an unknown width`(character: Character) {
        #expect(frame("\(character)").changes(from: nil).map(\.isContested).contains(true))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `painted over the old frame show the new one`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var old = Frame(size: Size(columns: 13, rows: 3))
        old.scribble(with: &generator)
        var new = generator.next() % 4 == 0 ? Frame(size: old.size) : old
        new.scribble(with: &generator)

        var screen = ScreenModel(showing: old)
        screen.paint(new.changes(from: old))
        #expect(screen.shows(new))
        screen = ScreenModel(showing: Frame(size: new.size))
        screen.paint(new.changes(from: nil))
        #expect(screen.shows(new))
    }

    @Test func `include the cell behind a bar, which the bar may overflow`() {
        let paints = { (new: String, old: String) in
            frame(new).changes(from: frame(old)).map { "\($0.position.column):\($0.text)" }
        }
        #expect(paints("ab▃  up", "ab▁  up") == ["2:▃ "])
        #expect(paints("ab   up", "ab▁  up") == ["2: "])
        #expect(paints("ab▃x up", "ab▁x up") == ["2:▃x"])
        // Each bar behind it overflows in turn.
        #expect(paints("▁▃▁▁x 9", "▁▁▁▁x 9") == ["1:▃▁▁x"])
        // Circles and dots do not fill their cells.
        #expect(paints("●⡇  up", "○⡀  up") == ["0:●⡇"])
        #expect(frame("▃").changes(from: nil).map(\.text) == ["▃ "])
    }
}

extension Run {
    fileprivate init(_ position: Position, _ style: Style, _ text: String) {
        self.init(position: position, style: style)
        for character in text { append(character, width: character.displayWidth) }
    }

    fileprivate init(_ position: Position, contested character: Character) {
        self.init(position: position, style: .plain)
        append(contested: character, width: character.displayWidth)
    }
}

extension Frame {
    fileprivate mutating func scribble(with generator: inout SplitMix) {
        let texts = ["a", "up", "router down", "日", "日本語", "e\u{301}", "👨‍👩‍👧", "   ", "●▁▂", "x 日 y"]
        let styles = [Style.plain, Style(.red), Style(nil, .bold), Style(.green, .reversed), Style(nil, .underline)]
        for _ in 0..<Int.random(in: 0..<8, using: &generator) {
            let position = Position(
                column: .random(in: -2..<size.columns, using: &generator),
                row: .random(in: 0..<size.rows, using: &generator)
            )
            let text = texts.randomElement(using: &generator) ?? ""
            write(text, at: position, style: styles.randomElement(using: &generator) ?? .plain)
        }
    }
}
