import Testing

@testable import ReachScreen

@Suite struct `Writing into a frame` {
    private func frame(_ columns: Int, _ rows: Int = 1) -> Frame {
        Frame(size: Size(columns: columns, rows: rows))
    }

    @Test func `shows text at its position`() {
        var frame = frame(8, 3)
        let used = frame.write("up", at: Position(column: 2, row: 1), style: Style(.green, .bold))
        #expect(used == 2)
        #expect(frame.text == "\n  up\n")
        #expect(frame.map { $0 == .plain ? " " : "g" } == "\n  gg\n")
        #expect(frame[column: 2, row: 1].style == Style(.green, .bold))
    }

    @Test(arguments: [
        (0, "abcdef", Int.max, "abcd", 4),
        (2, "abcdef", Int.max, "  ab", 2),
        (4, "abcdef", Int.max, "", 0),
        (-2, "abcdef", Int.max, "cdef", 6),
        (-9, "abcdef", Int.max, "", 6),
        (0, "abcdef", 2, "ab", 2),
        (0, "abcdef", 0, "", 0),
        (0, "abcdef", -1, "", 0),
        (0, "日本語", Int.max, "日本", 4),
        (1, "日本語", Int.max, " 日", 3),
        (0, "日本語", 3, "日", 3),
        (-1, "日本語", Int.max, " 本", 5),
    ])
    func `is clipped at the edges and the limit`(column: Int, text: String, limit: Int, expected: String, used: Int) {
        var frame = frame(4)
        #expect(frame.write(text, at: Position(column: column, row: 0), limit: limit) == used)
        #expect(frame.text == expected)
    }

    @Test(arguments: [-3, -1, 0, 1, 3, 4, 9], [-1, 0, 2, .max])
    func `puts cells where it puts text`(column: Int, limit: Int) {
        var (cells, text) = (frame(4), frame(4))
        for start in [0, 1] {
            for wide in [start, start + 2] {
                cells.write("日", at: Position(column: wide, row: 0))
                text.write("日", at: Position(column: wide, row: 0))
            }
            let row = "⣿a▲".map { Cell(narrow: $0, Style(.green)) }
            cells.write(row, at: Position(column: column, row: 0), limit: limit)
            text.write("⣿a▲", at: Position(column: column, row: 0), style: Style(.green), limit: limit)
            #expect(cells == text)
        }
        cells.write([.blank], at: Position(column: 0, row: -1))
        cells.write([.blank], at: Position(column: 0, row: 1))
        #expect(cells == text)
    }

    @Test(arguments: ["日", "\u{1B}", "\u{200B}", "👩‍👩‍👧"])
    func `a cell of one column has no other character`(text: String) {
        #expect(text.map { Cell(narrow: $0, .plain).character } == text.map { _ in Character.replacement })
        #expect(Cell(narrow: "é", .plain).character == "é")
    }

    @Test(arguments: [-1, 3])
    func `does nothing in a row outside of the frame`(row: Int) {
        var changed = frame(4, 3)
        #expect(changed.write("abc", at: Position(column: 0, row: row)) == 0)
        changed.fill(row: row, columns: 0..<4, with: "x")
        changed.restyle(row: row, columns: 0..<4) { _ in Style(.red) }
        #expect(changed == frame(4, 3))
    }

    @Test(arguments: [
        (0, "x 本"),
        (1, " x本"),
        (2, "日x"),
        (3, "日 x"),
    ])
    func `over half of a wide character blanks its other half`(column: Int, expected: String) {
        var frame = frame(4)
        frame.write("日本", at: Position(column: 0, row: 0))
        frame.write("x", at: Position(column: column, row: 0))
        #expect(frame.text == expected)
    }

    @Test func `a wide character over halves of two others blanks both`() {
        var frame = frame(4)
        frame.write("日本", at: Position(column: 0, row: 0))
        frame.write("語", at: Position(column: 1, row: 0))
        #expect(frame.text == " 語")
        #expect(!frame[column: 3, row: 0].isContinuation)
    }

    @Test(arguments: [
        ("a\u{1B}[31mb", "a�[31mb"),
        ("a\nb\tc", "a�b�c"),
        ("a\r\nb", "a�b"),
        ("a\u{7F}b", "a�b"),
        (" \u{E0041}tag", "�tag"),
        ("a\u{E0041}b", "�b"),
        ("a\u{9B}31mb", "a�31mb"),
        ("a\u{0}b", "a�b"),
        ("a\u{202E}b\u{202C}", "a�b�"),
        ("a\u{2066}b\u{2069}", "a�b�"),
        ("a\u{200F}b", "a�b"),
        ("a\u{200B}b", "a�b"),
        ("a\u{2028}b", "a�b"),
        ("a\u{FEFF}b", "a�b"),
        ("\u{301}b", "�b"),
        ("\u{3164}b", "�b"),
        ("\u{FFFF}b", "�b"),
        ("👨‍👩‍👧", "👨‍👩‍👧"),
        ("e\u{301}", "e\u{301}"),
    ])
    func `replaces control characters`(text: String, expected: String) {
        var frame = frame(10)
        frame.write(text, at: Position(column: 0, row: 0))
        #expect(frame.text == expected)
        let shown = frame.text.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(shown.isEmpty)
    }

    @Test func `a letter with too many combining marks is shown without them`() {
        var frame = frame(4)
        frame.write("a" + String(repeating: "\u{301}", count: 500) + "b", at: Position(column: 0, row: 0))
        #expect(frame.text == "ab")
    }

    @Test func `filling repeats a character over the columns`() {
        var frame = frame(7)
        frame.fill(row: 0, columns: -3..<3, with: "─", style: Style(.blue))
        frame.fill(row: 0, columns: 3..<99, with: "日")
        #expect(frame.text == "───日日")
        #expect(frame.map { $0.foreground == .blue ? "b" : " " } == "bbb")
        frame.fill(row: 0, columns: 5..<7, with: "\u{7}")
        #expect(frame.text == "───日��")
    }

    @Test func `restyling keeps the characters and the wide ones whole`() {
        var frame = frame(6)
        frame.write("日本x", at: Position(column: 0, row: 0), style: Style(.cyan))
        frame.restyle(row: 0, columns: 1..<3) { Style($0.foreground, .reversed) }
        #expect(frame.text == "日本x")
        #expect(frame.map { $0.attributes.contains(.reversed) ? "r" : "." } == "rrrr..")
        #expect(frame[column: 0, row: 0].style == Style(.cyan, .reversed))
    }

    @Test func `characters that a terminal lacks are replaced and keep their style`() {
        var frame = frame(8)
        frame.write("日…−x", at: Position(column: 0, row: 0), style: Style(.cyan))
        let before = frame
        frame.replace([:])
        #expect(frame == before)
        frame.replace(["…": "~", "−": "-"])
        #expect(frame.text == "日~-x")
        #expect(frame.map { $0.foreground == .cyan ? "c" : " " } == "ccccc")
    }

    @Test func `a frame without extent takes anything`() {
        var frame = Frame(size: Size(columns: -1, rows: 0))
        #expect(frame.write("abc", at: Position(column: 0, row: 0)) == 0)
        #expect(frame.text == "")
        #expect(frame.runs.isEmpty)
    }
}
