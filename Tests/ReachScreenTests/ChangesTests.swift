import TestSupport
import Testing

@testable import ReachScreen

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
    }

    @Test func `of an empty screen are all cells except blanks`() {
        #expect(frame("", "  up").runs == [Run(Position(column: 2, row: 1), .plain, "up")])
    }

    @Test func `are the changed cells only`() {
        let runs = frame("12.1ms      up").changes(from: frame("12.9ms    down")).runs
        #expect(
            runs == [
                Run(Position(column: 3, row: 0), .plain, "1"),
                Run(Position(column: 10, row: 0), .plain, "  up"),
            ]
        )
    }

    @Test func `continue over a gap that is shorter than a cursor movement`() {
        let runs = frame("1abcd2").changes(from: frame("3abcd4")).runs
        #expect(runs == [Run(Position(column: 0, row: 0), .plain, "1abcd2")])
    }

    @Test func `are runs of one style, with blanks in either`() {
        var new = Frame(size: Size(columns: 20, rows: 1))
        new.write("●", at: Position(column: 0, row: 0), style: Style(.green))
        new.write("router", at: Position(column: 2, row: 0), style: Style(nil, .bold))
        #expect(
            new.changes(from: frame("xxxxxxxx")).runs == [
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
        #expect(new.changes(from: frame("")).runs == [Run(Position(column: 0, row: 0), Style(nil, .reversed), "   ")])
    }

    @Test func `paint a wide character whole, and both cells where one was`() {
        #expect(frame("日").changes(from: frame("")).runs.map(\.columns) == [2])
        #expect(frame("").changes(from: frame("日")).runs == [Run(Position(column: 0, row: 0), .plain, "  ")])
        #expect(frame("x").changes(from: frame("日")).runs == [Run(Position(column: 0, row: 0), .plain, "x ")])
    }

    @Test func `end a run after a cluster of ambiguous width`() {
        #expect(
            frame("a👨‍👩‍👧x").runs == [
                Run(Position(column: 0, row: 0), .plain, "a  "),
                Run(Position(column: 1, row: 0), contested: "👨‍👩‍👧"),
                Run(Position(column: 3, row: 0), .plain, "x" + String(repeating: " ", count: 7)),
            ]
        )
    }

    @Test func `repaint cells that a cluster may have covered`() {
        let runs = frame("👨‍👩‍👧 2 unchanged").changes(from: frame("abc2 unchanged")).runs
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
        #expect(frame(text).runs.count == 1)
    }

    @Test(arguments: [
        ("שלום 12", ["ם"]), ("שלום עולם  40ms", ["ם"]), ("خادم  خادم", ["م", "م"]), ("שלום", ["ם"]), ("a1 ●", []),
    ])
    func `find the ends of right-to-left words`(text: String, ends: [String]) {
        let runs = frame(text).runs
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
        #expect(frame("\(character)").runs.map(\.isContested).contains(true))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `painted over the old frame show the new one`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var old = Frame(size: Size(columns: 13, rows: 3))
        old.scribble(with: &generator)
        var new = generator.next() % 4 == 0 ? Frame(size: old.size) : old
        new.scribble(with: &generator)

        var screen = ScreenModel(showing: old)
        let changes = new.changes(from: old)
        screen.move(changes.moves)
        screen.paint(changes.runs)
        #expect(screen.shows(new))
        screen = ScreenModel(showing: Frame(size: new.size))
        screen.paint(new.runs)
        #expect(screen.shows(new))
    }

    @Test func `include the cell behind a bar, which the bar may overflow`() {
        let paints = { (new: String, old: String) in
            frame(new).changes(from: frame(old)).runs.map { "\($0.position.column):\($0.text)" }
        }
        #expect(paints("ab▃  up", "ab▁  up") == ["2:▃ "])
        #expect(paints("ab   up", "ab▁  up") == ["2: "])
        #expect(paints("ab▃x up", "ab▁x up") == ["2:▃x"])
        // Each bar behind it overflows in turn.
        #expect(paints("▁▃▁▁x 9", "▁▁▁▁x 9") == ["1:▃▁▁x"])
        // Circles and dots do not fill their cells.
        #expect(paints("●⡇  up", "○⡀  up") == ["0:●⡇"])
        #expect(frame("▃").runs.map(\.text) == ["▃ "])
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

@Suite struct ShiftTests {
    private let bars = Array("▁▂▃▄▅▆▇█")

    private func frame(_ lines: [(text: String, style: Style)], columns: Int = 40) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: lines.count))
        for (row, line) in lines.enumerated() {
            frame.write(line.text, at: Position(column: 8, row: row), style: line.style)
            frame.write("\(row)s", at: Position(column: columns - 2, row: row))
        }
        return frame
    }

    @Test(arguments: 1...4)
    func `a moved chart is found, with its distance`(distance: Int) {
        let line = String((0..<30).map { bars[$0 * $0 % 7] })
        let old = frame([(String(line.prefix(25)), Style(.green))])
        let new = frame([(String(line.dropFirst(distance).prefix(25)), Style(.green))])
        let changes = new.changes(from: old)
        #expect(changes.moves.map(\.distance) == [distance])
        // One more: the blank into which the last bar overflows.
        #expect(changes.runs.map(\.columns).reduce(0, +) <= distance + 1)
    }

    @Test func `a single high bar in a flat chart moves with the bars behind it, which would be painted after it`() {
        let old = frame([("▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁", Style(.green))])
        let new = frame([("▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁", Style(.green))])
        let changes = new.changes(from: old)
        #expect(changes.moves == [CellMove(row: 0, columns: 8..<26, distance: 1)])
        #expect(changes.runs.map(\.text) == ["▁ "])
    }

    @Test func `equal rows, and rows that change otherwise, are not moved`() {
        let old = frame([("▁▂▃▄▅▆▇█▇▆▅▄▃▂▁", .plain), ("a name", .plain)])
        #expect(old.changes(from: old).isEmpty)
        let new = frame([("█▂▁▁▆▅▂▂▁▁▄▃▁▄▃", .plain), ("another one that is longer", .plain)])
        #expect(new.changes(from: old).moves == [])
    }

    @Test func `a row with a wide character in the moved part is not moved`() {
        let old = frame([("▁▂▃▄▅▆▇█▇▆▅▄▃▂▁▂▃", .plain)])
        let new = frame([("▂▃▄▅▆▇█▇▆▅▄▃▂▁▂▃▄", .plain)])
        #expect(new.changes(from: old).moves.count == 1)
        let wide = [old, new].map { frame in
            var frame = frame
            frame.write("日", at: Position(column: 30, row: 0))
            return frame
        }
        #expect(wide[1].changes(from: wide[0]).moves == [])
    }

    @Test func `charts beside each other are moved, and figures between them stay`() {
        let charts = { (step: Int) in
            let chart = String((step..<step + 16).map { bars[$0 * $0 % 7] })
            return [("\(chart) the figures between them │\(chart)", Style(.green))]
        }
        let (old, new) = (frame(charts(0), columns: 90), frame(charts(1), columns: 90))
        #expect(new.changes(from: old).moves.map(\.columns) == [8..<24, 51..<67])
    }

    @Test func `the rows of a chart are moved in the same columns, even where less has changed`() {
        let lines = { (step: Int) in
            let letters = Array("⣀⣤⣶⡇⢸")
            return (0..<4).map { row in
                let dots = (step..<step + 24).map { $0 < 20 && row == 2 ? "⣿" : letters[$0 * $0 % 5] }
                return (String(dots), Style(.green))
            }
        }
        let moves = frame(lines(1)).changes(from: frame(lines(0))).moves
        #expect(moves.map(\.row) == [0, 1, 2, 3])
        #expect(Set(moves.map(\.columns)) == [8..<32])
    }

    @Test func `a line of labels is moved`() {
        let (old, new) = ("10:03:35    10:03:40    10:03:45", "  10:03:35    10:03:40    10:03:45")
        let changes = frame([(old, .plain)], columns: 60).changes(from: frame([(new, .plain)], columns: 60))
        #expect(changes.moves.map(\.distance) == [2])
    }

    /// A terminal that deletes cells and then inserts blanks.
    @Test func `moves within its columns like a terminal`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<200 {
            let line = String((0..<40).map { _ in bars.randomElement(using: &random) ?? "▁" })
            let old = frame([(line, .plain)], columns: 50)
            let lower = Int.random(in: 0..<30, using: &random)
            let move = CellMove(
                row: 0,
                columns: lower..<Int.random(in: lower + 5...50, using: &random),
                distance: Int.random(in: 1...4, using: &random)
            )
            var cells = old.lines[0].map(\.character)
            cells.removeSubrange(lower..<lower + move.distance)
            cells += repeatElement(" ", count: move.distance)
            let end = move.columns.upperBound - move.distance
            cells.insert(contentsOf: repeatElement(" ", count: move.distance), at: end)
            #expect(old.lines[0].applying([move]).map(\.character) == Array(cells.prefix(50)))
        }
    }
}

/// What a terminal does with runs, with its own idea of wide characters: half of one overwritten, the other goes.
struct ScreenModel {
    private struct Spot: Equatable {
        var text: Character?
        var style: Style

        func looksLike(_ other: Spot) -> Bool {
            guard text == other.text else { return false }
            if text == " ", !isMarked, !other.isMarked { return true }
            return style == other.style
        }

        private var isMarked: Bool {
            !style.attributes.isDisjoint(with: [.underline, .reversed])
        }
    }

    private var rows: [[Spot]]

    init(showing frame: Frame) {
        rows = (0..<frame.size.rows).map { row in
            (0..<frame.size.columns).map { column in
                let cell = frame[column: column, row: row]
                return Spot(text: cell.isContinuation ? nil : cell.character, style: cell.style)
            }
        }
    }

    mutating func move(_ moves: [CellMove]) {
        for move in moves {
            let (columns, blank) = (move.columns, Spot(text: " ", style: .plain))
            rows[move.row].removeSubrange(columns.prefix(move.distance))
            let blanks = repeatElement(blank, count: move.distance)
            rows[move.row].insert(contentsOf: blanks, at: columns.upperBound - move.distance)
        }
    }

    mutating func paint(_ runs: [Run]) {
        for run in runs {
            var column = run.position.column
            for character in run.text {
                for _ in 0..<character.displayWidth {
                    erase(column: column, row: run.position.row)
                    rows[run.position.row][column] = Spot(text: nil, style: run.style)
                    column += 1
                }
                rows[run.position.row][column - character.displayWidth].text = character
            }
        }
    }

    /// Blanks the whole character that a column belongs to.
    private mutating func erase(column: Int, row: Int) {
        if rows[row][column].text == nil, column > 0, rows[row][column - 1].text != nil {
            rows[row][column - 1].text = " "
        }
        if column + 1 < rows[row].count, rows[row][column + 1].text == nil {
            rows[row][column + 1].text = " "
        }
        rows[row][column].text = " "
    }

    /// Whether a person sees the frame: colour and weight show nothing on a blank.
    func shows(_ frame: Frame) -> Bool {
        let wanted = ScreenModel(showing: frame).rows
        return zip(rows.joined(), wanted.joined()).allSatisfy { $0.looksLike($1) }
    }
}
