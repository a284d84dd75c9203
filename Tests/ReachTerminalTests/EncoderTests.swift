import ReachScreen
import TestSupport
import Testing

@testable import ReachTerminal

@Suite struct `Encoding frames` {
    private func frame(_ columns: Int = 20, _ rows: Int = 3, _ draw: (inout Frame) -> Void = { _ in }) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: rows))
        draw(&frame)
        return frame
    }

    /// The bytes for a person: ␛ for the escape, and without the brackets of the update, which every one has.
    private func encoded(_ frame: Frame, over old: Frame?, color: ColorSupport = .sixteen) -> String {
        let text = String(decoding: Encoder(color: color).encode(frame, over: old), as: UTF8.self)
        if text.isEmpty { return "" }
        #expect(text.hasPrefix("\u{1B}[?2026h"))
        #expect(text.hasSuffix("\u{1B}[?2026l"))
        return String(String(text.dropFirst(8).dropLast(8)).map { $0 == "\u{1B}" ? "␛" : $0 })
    }

    @Test func `writes nothing for frames that look the same`() {
        let one = frame { $0.write("up", at: Position(column: 0, row: 0)) }
        #expect(encoded(one, over: one) == "")
    }

    @Test func `clears a screen of unknown content`() {
        #expect(encoded(frame(), over: nil) == "␛[0m␛[2J")
        let one = frame { $0.write("up", at: Position(column: 3, row: 1)) }
        #expect(encoded(one, over: nil) == "␛[0m␛[2J␛[2;4Hup")
        #expect(encoded(one, over: frame(10)) == "␛[0m␛[2J␛[2;4Hup")
    }

    @Test func `moves the cursor only if needed, and selects styles by their differences`() {
        let one = frame { frame in
            frame.write("●", at: Position(column: 0, row: 1), style: Style(.green))
            frame.write("✗", at: Position(column: 1, row: 1), style: Style(.brightRed))
            frame.write("x", at: Position(column: 2, row: 1))
            frame.write("bold", at: Position(column: 3, row: 1), style: Style(.brightRed, .bold))
            frame.write("all", at: Position(column: 7, row: 1), style: Style(nil, [.faint, .underline, .reversed]))
            frame.write("z", at: Position(column: 19, row: 2))
        }
        let expected = "␛[2H␛[32m●␛[91m✗␛[mx␛[1;91mbold␛[0;2;4;7mall\n␛[9C␛[mz"
        #expect(encoded(one, over: frame()) == expected)
    }

    @Test func `moves by the shorter of a distance and a column`() {
        let green = Style(.green)
        let old = frame(40) { $0.write("⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀", at: Position(column: 2, row: 1), style: green) }
        let one = frame(40) { frame in
            frame.write("⣤⣀⣤⣀⣀⣤⣀⣀⣀⣀⣀⣀⣀⣀⣀⣤", at: Position(column: 2, row: 1), style: green)
            frame.write("7s", at: Position(column: 20, row: 1))
        }
        #expect(encoded(one, over: old) == "␛[2;3H␛[32m⣤␛[C⣤␛[8G⣤␛[9C⣤␛[2C␛[m7s")
    }

    @Test func `figures in one column share a style and relative movements`() {
        func table(_ figures: [Int]) -> Frame {
            frame(40, 5) { frame in
                for (row, figure) in figures.enumerated() {
                    frame.write("\(figure)ms", at: Position(column: 10, row: row), style: Style(.brightBlack))
                    frame.write("⣿⣿", at: Position(column: 20 + figure % 2, row: row), style: Style(.green))
                    frame.write("\(figure)s", at: Position(column: 30, row: row))
                }
            }
        }
        let (old, new) = (table([10, 20, 30, 40]), table([11, 21, 39, 40]))
        let figures = "␛[1;12H␛[90m1\n\u{8}1\n\u{8}9"
        let blanks = "␛[1;21H␛[m \n\u{8} \n\u{8} "
        let ages = "␛[1;32H1\n\u{8}1\n\u{8}9"
        let bars = "␛[1;23H␛[32m⣿\n\u{8}⣿\n\u{8}⣿␛[m"
        #expect(encoded(new, over: old) == figures + blanks + ages + bars)
    }

    @Test func `backspaces are not used from the last column, where the cursor stays`() {
        func column(_ letter: Character) -> Frame {
            frame(10, 4) { frame in
                for row in 0..<4 {
                    frame.write(String(letter), at: Position(column: 9, row: row))
                    frame.write(String(letter), at: Position(column: 0, row: row), style: Style(.red))
                }
            }
        }
        #expect(encoded(column("b"), over: column("a")).hasSuffix("␛[1;10H␛[mb\n␛[10Gb\n␛[10Gb\n␛[10Gb"))
    }

    @Test func `moves a chart, and paints its new cells and other changes`() {
        func row(_ bars: String, _ age: String) -> Frame {
            frame(40, 2) { frame in
                frame.write("NAS", at: Position(column: 0, row: 1))
                frame.write(bars, at: Position(column: 10, row: 1), style: Style(.green))
                frame.write(age, at: Position(column: 32, row: 1))
            }
        }
        let old = row("▁▂▃▄▅▆▇█▇▆▅▄▃▂▁▂▃▄", "8s")
        let new = row("▃▄▅▆▇█▇▆▅▄▃▂▁▂▃▄▅▆", "9s")
        #expect(encoded(new, over: old) == "␛[2;11H␛[2P␛[27G␛[2@␛[32m▅\0▆\0 ␛[3C␛[m9")
        // A row in which terminals disagree about the columns is painted.
        let names = [old, new].map { frame in
            var frame = frame
            frame.write("👩‍🚀", at: Position(column: 36, row: 1))
            return frame
        }
        #expect(!encoded(names[1], over: names[0]).contains("P"))
    }

    @Test func `moves charts beside each other, each row with four bytes for a code`() {
        func charts(_ step: Int) -> Frame {
            frame(80, 6) { frame in
                for row in 0..<6 {
                    for column in [8, 50] {
                        let dots = (step..<step + 14).map { ["⣿", "⣀", "⣤", "⡇", "⢸"][($0 * $0 + row * column) % 5] }
                        let text = "the figures between them │" + dots.joined()
                        frame.write(text, at: Position(column: column - 26, row: row))
                    }
                }
            }
        }
        let text = encoded(charts(8), over: charts(7))
        let block = { (first: Int, last: Int) in
            let rows = { (code: String) in Array(repeating: code, count: 6).joined(separator: "\n") }
            return "␛[1;\(first)H" + rows("␛[P") + "␛[1;\(last)H" + rows("␛[@")
        }
        #expect(text.hasPrefix(block(9, 22) + block(51, 64)), "\(text)")
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `updates are shown by a terminal as they are drawn`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let size = Size(columns: .random(in: 20...120, using: &random), rows: .random(in: 1...12, using: &random))
        var terminal = EmulatedTerminal(size: size)
        var charts = (0..<size.rows).map { _ in (0..<200).map { _ in "▁▂▃▄▅▆▇█⣀⣤⣶⣿⡇⢸ ×".randomElement(using: &random) }
        }
        var old: Frame?
        for _ in 0..<30 {
            var new = Frame(size: size)
            let width = size.columns / 3
            for row in 0..<size.rows {
                let distance = Int.random(in: 0...4, using: &random)
                charts[row] = Array(charts[row].dropFirst(distance) + charts[row].prefix(distance))
                for column in [2, 2 + width + 5] {
                    let chart = String(charts[row][column..<column + width].compactMap(\.self))
                    new.write(chart, at: Position(column: column, row: row), style: Style(Color(index: UInt8(row % 4))))
                }
                for column in [0, width + 3, size.columns - 3] {
                    let styles = [
                        .plain, Style(.red), Style(.red, .bold), Style(nil, .faint), Style(.green, .reversed),
                    ]
                    new.write(
                        "\(Int.random(in: 0..<300, using: &random))",
                        at: Position(column: column, row: row),
                        style: styles.randomElement(using: &random) ?? .plain
                    )
                }
            }
            terminal.receive(Encoder(color: .sixteen).encode(new, over: old))
            #expect(terminal.difference(from: new) == nil)
            old = new
        }
        #expect(terminal.unknown == [])
    }

    @Test func `without colours, attributes are kept`() {
        let one = frame { frame in
            frame.write("●", at: Position(column: 0, row: 0), style: Style(.green))
            frame.write("x", at: Position(column: 1, row: 0), style: Style(.red, .bold))
        }
        #expect(encoded(one, over: frame(), color: .none) == "␛[1H●␛[1mx␛[m")
    }

    @Test func `positions the cursor after a cluster of ambiguous width`() {
        let one = frame { $0.write("👩‍🚀x", at: Position(column: 0, row: 0)) }
        #expect(encoded(one, over: frame()) == "␛[1H  ␛[1H👩‍🚀␛[1;3Hx   ")
    }

    @Test func `separates text that follows a right-to-left word`() {
        let one = frame { $0.write("של 4ms", at: Position(column: 0, row: 0)) }
        #expect(encoded(one, over: frame()) == "␛[1Hש ␛[1;2Hל\u{200E}␛[1;3H 4ms")
    }

    @Test func `separates bars from what follows, so that xterm draws them one after the other`() {
        let one = frame { $0.write("▃▁ up▁", at: Position(column: 0, row: 0)) }
        #expect(encoded(one, over: frame()) == "␛[1H▃\0▁\0 up\0▁\0 ")
        // A mark stays with its letter, even if that is a bar.
        let marked = frame { $0.write("▃\u{301}x", at: Position(column: 0, row: 0)) }
        #expect(encoded(marked, over: frame()) == "␛[1H▃\u{301}x")
        let ascii = Encoder(color: .none, characters: .ascii).encode(one, over: frame())
        #expect(!ascii.contains(0))
    }

    @Test func `paints the cell behind a bar after it, also if another order is shorter`() {
        let draw = { (bar: Character, figure: String) in
            self.frame(40, 6) { frame in
                for row in 0..<6 {
                    frame.write(String(bar), at: Position(column: 5, row: row), style: Style(.green))
                    frame.write(figure, at: Position(column: 6, row: row), style: Style(.red))
                }
            }
        }
        let text = encoded(draw("▃", "7"), over: draw("▁", "8"))
        #expect(text.filter { "▃7".contains($0) } == String(repeating: "▃7", count: 6))
    }

    @Test func `sends only ASCII to an ASCII terminal`() {
        let one = frame { $0.write("é日👩‍🚀x שלום", at: Position(column: 0, row: 0)) }
        let bytes = Encoder(color: .none, characters: .ascii).encode(one, over: frame())
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(String(decoding: bytes, as: UTF8.self).contains("?  \u{1B}[1;4H??\u{1B}[1;6Hx "))
    }

    @Test(arguments: zip((0..<16).map { Color(index: $0) }, Array(30...37) + Array(90...97) as [UInt8]))
    func `encodes the palette`(color: Color, code: UInt8) {
        let rendition = SelectGraphicRendition(color: .sixteen)
        #expect(rendition.codes(from: .plain, to: Style(color)) == [code])
        #expect(rendition.codes(from: Style(color), to: .plain) == [39])
    }

    @Test(
        arguments: [
            (Style(.green, .bold), Style(.green), [22]), (Style(.green), Style(.green, .bold), [1]),
            (Style(.green, .bold), Style(.red), [0, 31]), (Style(.red, .bold), Style(nil, .bold), [39]),
            (Style(.red), Style(.green, .bold), [1, 32]), (Style(nil, .faint), Style(nil, .bold), [0, 1]),
            (Style(.cyan, [.bold, .underline]), Style(.cyan, .underline), [22]),
            (Style(.cyan, .reversed), Style(.cyan), [0, 36]),
        ] as [(Style, Style, [UInt8])]
    )
    func `changes only what differs, if that is shorter`(old: Style, new: Style, codes: [UInt8]) {
        #expect(SelectGraphicRendition(color: .sixteen).codes(from: old, to: new) == codes)
    }

    @Test func `tints that the terminal shows alike need no codes`() {
        let tints = [60, 61].map { Style(Color(RGB(red: $0, green: 150, blue: 100), base: .green)) }
        let codes = [ColorSupport.sixteen, .indexed, .direct].map { color in
            SelectGraphicRendition(color: color).codes(from: tints[0], to: tints[1])
        }
        #expect(codes == [[], [], [38, 2, 61, 150, 100]])
    }

    @Test func `a tint uses the colours of the terminal`() {
        let codes = ColorSupport.allCases.map { color in
            SelectGraphicRendition(color: color).codes(from: .plain, to: Style(.orange))
        }
        #expect(codes == [[], [91], [38, 5, 208], [38, 2, 0xFF, 0x8C, 0x1A]])
        let one = frame { $0.write("○ NAS", at: Position(column: 0, row: 0), style: Style(.orange, .bold)) }
        #expect(encoded(one, over: frame(), color: .indexed) == "␛[1H␛[1;38;5;208m○ NAS␛[m")
    }
}

/// A terminal that performs the codes of the encoder, in the sixteen colours of the palette. A character has one column.
struct EmulatedTerminal {
    private var cells: [[Spot]]
    private var cursor = Position(column: 0, row: 0)
    private var style = Style.plain
    private let size: Size
    /// The sequences that it does not know.
    private(set) var unknown: [String] = []

    private struct Spot: Equatable {
        var character: Character = " "
        var style = Style.plain
    }

    init(size: Size) {
        self.size = size
        cells = Array(repeating: Array(repeating: Spot(), count: size.columns), count: size.rows)
    }

    /// The first position at which it does not show the frame; nil if there is none.
    func difference(from frame: Frame) -> Position? {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let (cell, spot) = (frame[column: column, row: row], cells[row][column])
                let shown = Spot(character: cell.character, style: cell.style)
                let isBlank = cell.character == " " && cell.style.attributes.isDisjoint(with: [.underline, .reversed])
                let isSame = isBlank ? spot.character == " " : spot == shown
                if !isSame { return Position(column: column, row: row) }
            }
        }
        return nil
    }

    mutating func receive(_ bytes: [UInt8]) {
        var rest = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}":
                rest.removeFirst()
                let parameters = rest.prefix { !("@"..."z").contains($0) }
                rest.removeFirst(parameters.count)
                perform(rest.removeFirst(), String(parameters))
            case "\n": cursor.row += 1
            case "\r": cursor.column = 0
            case "\u{8}": cursor.column -= 1
            case "\0": break
            default:
                cells[cursor.row][cursor.column] = Spot(character: Character(scalar), style: style)
                cursor.column = min(cursor.column + 1, size.columns - 1)
            }
        }
    }

    private mutating func perform(_ final: Unicode.Scalar, _ parameters: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch final {
        case "H": cursor = Position(column: numbers.count > 1 ? numbers[1] - 1 : 0, row: count - 1)
        case "G": cursor.column = count - 1
        case "A": cursor.row -= count
        case "B": cursor.row += count
        case "C": cursor.column += count
        case "D": cursor.column -= count
        case "P":
            cells[cursor.row].removeSubrange(cursor.column..<cursor.column + count)
            cells[cursor.row] += Array(repeating: Spot(), count: count)
        case "@":
            cells[cursor.row].insert(contentsOf: Array(repeating: Spot(), count: count), at: cursor.column)
            cells[cursor.row].removeLast(count)
        case "J": cells = cells.map { $0.map { _ in Spot() } }
        case "m": numbers.isEmpty ? select(0) : numbers.forEach { select($0) }
        case "h", "l": break
        default: unknown.append("\(parameters)\(final)")
        }
    }

    private mutating func select(_ code: Int) {
        switch code {
        case 0: style = .plain
        case 1: style.attributes.insert(.bold)
        case 2: style.attributes.insert(.faint)
        case 4: style.attributes.insert(.underline)
        case 7: style.attributes.insert(.reversed)
        case 22: style.attributes.subtract([.bold, .faint])
        case 30...37: style.foreground = Color(index: UInt8(code - 30))
        case 39: style.foreground = nil
        case 90...97: style.foreground = Color(index: UInt8(code - 82))
        default: unknown.append("\(code)m")
        }
    }
}
