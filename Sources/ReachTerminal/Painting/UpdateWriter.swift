import ReachScreen

/// The bytes of one synchronized update, which the terminal shows at once, and the cursor and style after them.
///
/// Every update begins and ends with the plain style, and assumes nothing about the cursor.
struct UpdateWriter {
    private static let begin = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)
    private static let clear = Array("\u{1B}[0m\u{1B}[2J".utf8)
    /// U+200E, a zero-width mark that sets the direction of what follows. In a terminal that reorders right-to-left words, a
    /// figure would otherwise move with the word before it, across any number of blanks (UAX #9, rule N1).
    private static let leftToRight = Array("\u{200E}".utf8)

    private(set) var bytes = Self.begin
    private let rendition: SelectGraphicRendition
    private let characters: CharacterSupport
    private let columns: Int
    private var style = Style.plain
    /// The cursor; nil if it is unknown.
    private var cursor: Cursor?

    /// The position of the cursor.
    private struct Cursor {
        var position: Position
        /// Whether the column is known too. Behind the last one, the cursor stays in it.
        var hasColumn = true
    }

    /// Creates the writer of an update for a terminal of a width.
    init(rendition: SelectGraphicRendition, characters: CharacterSupport, columns: Int) {
        self.rendition = rendition
        self.characters = characters
        self.columns = columns
    }

    mutating func clear() {
        bytes += Self.clear
    }

    /// Moves cells in several rows by the same distance.
    ///
    /// DCH takes cells away, and the rest of the row moves up; ICH moves back what is behind them. Neither moves the cursor,
    /// so for rows below each other, a line feed after each is shorter than both in one row.
    mutating func move(_ moves: [CellMove]) {
        for cells in moves {
            move(to: Position(column: cells.columns.lowerBound, row: cells.row))
            bytes += Self.code("P", cells.distance)
        }
        for cells in moves {
            move(to: Position(column: cells.columns.upperBound - cells.distance, row: cells.row))
            bytes += Self.code("@", cells.distance)
        }
    }

    mutating func paint(_ run: Run) {
        if run.isContested { cursor = nil }
        move(to: run.position)
        select(run.style)
        bytes += characters.sent(separated(run.text)).utf8
        if run.reordersFollowing, characters == .unicode { bytes += Self.leftToRight }
        let end = Position(column: run.position.column + run.columns, row: run.position.row)
        cursor = run.isContested ? nil : Cursor(position: end, hasColumn: end.column < columns)
    }

    mutating func end() {
        select(.plain)
        bytes += Self.end
    }

    /// Moves the cursor by the shortest codes: to an absolute position (CUP), or up or down and then to an absolute column
    /// (CHA) or by a distance. Line feeds keep the column, because the device is raw.
    private mutating func move(to position: Position) {
        guard cursor?.hasColumn != true || cursor?.position != position else { return }
        defer { cursor = Cursor(position: position) }
        let address = "\u{1B}[\(position.row + 1)" + (position.column > 0 ? ";\(position.column + 1)" : "") + "H"
        let absolute = Array(address.utf8)
        guard let cursor else {
            bytes += absolute
            return
        }
        let down = position.row - cursor.position.row
        var relative = down < 0 ? Self.code("A", -down) : Self.shorter(Self.code("B", down), 0x0A, count: down)
        let column = position.column == 0 ? [0x0D] : Self.code("G", position.column + 1)
        if cursor.hasColumn {
            let right = position.column - cursor.position.column
            let step = right > 0 ? Self.code("C", right) : Self.shorter(Self.code("D", -right), 0x08, count: -right)
            relative += step.count < column.count ? step : column
        } else {
            relative += column
        }
        bytes += relative.count < absolute.count ? relative : absolute
    }

    /// A control sequence with one parameter; without it if it is one.
    private static func code(_ final: Character, _ count: Int) -> [UInt8] {
        Array("\u{1B}[\(count == 1 ? "" : "\(count)")\(final)".utf8)
    }

    /// The code, or the control character repeated if that is not longer.
    private static func shorter(_ code: [UInt8], _ control: UInt8, count: Int) -> [UInt8] {
        count <= code.count ? Array(repeating: control, count: count) : code
    }

    /// The text with a NUL between a bar and its neighbours. Terminals ignore it (ECMA-48 §8.3.88), but xterm draws one after
    /// the other then, as if each were painted later, and not all above one background. The pixels of the bar that overflow
    /// its cell are thus always gone, and a chart looks the same whether it is drawn at once or advances.
    private func separated(_ text: String) -> String {
        // Most runs have no bar, and bytes are compared faster than characters.
        guard characters == .unicode, text.utf8.contains(0x96) else { return text }
        var separated = ""
        var followsBar = false
        for character in text {
            let isBar = character.overflowsCell
            if followsBar || isBar && !separated.isEmpty { separated.append("\0") }
            separated.append(character)
            followsBar = isBar
        }
        return separated
    }

    private mutating func select(_ new: Style) {
        let codes = rendition.codes(from: style, to: new)
        style = new
        guard !codes.isEmpty else { return }
        bytes += "\u{1B}[".utf8
        // A reset needs no number, and ends a colour too.
        if new != .plain, codes != [0] { bytes += codes.map(String.init).joined(separator: ";").utf8 }
        bytes.append(UInt8(ascii: "m"))
    }
}
