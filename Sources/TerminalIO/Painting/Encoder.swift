public import Screen

/// An encoder that turns the changes between frames into bytes for a terminal.
public struct Encoder: Sendable {
    private static let begin = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)
    private static let clear = Array("\u{1B}[0m\u{1B}[2J".utf8)
    /// U+200E, a zero-width mark that sets the direction of what follows. In a terminal that reorders right-to-left words, a
    /// figure would otherwise move with the word before it, across any number of blanks (UAX #9, rule N1).
    private static let leftToRight = Array("\u{200E}".utf8)

    private let rendition: SelectGraphicRendition
    private let characters: CharacterSupport

    /// An encoder for a terminal that shows these colours and characters.
    public init(color: ColorSupport, characters: CharacterSupport = .unicode) {
        rendition = SelectGraphicRendition(color: color)
        self.characters = characters
    }

    /// The bytes that turn one frame into another; none if they look the same.
    public func encode(_ frame: Frame, over old: Frame?) -> [UInt8] {
        let shifts = old.map(frame.shifts) ?? []
        let runs = frame.changes(from: shifts.isEmpty ? old : old?.applying(shifts))
        let clears = frame.clearsScreen(after: old)
        let columns = frame.size.columns
        let bytes = encode(shifts, runs, clearing: clears, columns: columns)
        // Cells around a contested cluster are painted again after it, so their order is fixed. Another order pays off only
        // for scattered figures.
        guard !clears, 2...Self.mostScattered ~= runs.count, !runs.contains(where: \.isContested),
            !zip(runs, runs.dropFirst()).contains(where: { $0.overflows(into: $1) })
        else { return bytes }
        let others = encode(shifts, Self.groupedByStyle(runs), clearing: false, columns: columns)
        return others.count < bytes.count ? others : bytes
    }

    /// The most runs that are tried in another order.
    private static let mostScattered = 1_000

    /// The runs grouped by style, and within a style by their last column. Figures below each other then need neither a change
    /// of style nor a full cursor address.
    private static func groupedByStyle(_ runs: [Run]) -> [Run] {
        var places: [Style: Int] = [:]
        for run in runs where places[run.style] == nil { places[run.style] = places.count }
        func order(_ run: Run) -> (Int, Int, Int) {
            (places[run.style] ?? 0, run.position.column + run.columns, run.position.row)
        }
        return runs.sorted { order($0) < order($1) }
    }

    /// The bytes for shifts and then runs, as one synchronized update: the terminal shows them all at once.
    ///
    /// Every update begins and ends with the plain style, and assumes nothing about the cursor.
    private func encode(_ shifts: [Shift], _ runs: [Run], clearing: Bool, columns: Int) -> [UInt8] {
        guard clearing || !shifts.isEmpty || !runs.isEmpty else { return [] }
        var bytes = Self.begin
        if clearing { bytes += Self.clear }
        var style = Style.plain
        var cursor: Cursor?
        for shift in shifts {
            // DCH takes cells away, and the rest of the row moves up; ICH moves back what is behind them.
            let first = Position(column: shift.columns.lowerBound, row: shift.row)
            let end = Position(column: shift.columns.upperBound - shift.distance, row: shift.row)
            let count = shift.distance == 1 ? "" : "\(shift.distance)"
            move(to: first, from: cursor, within: false, &bytes)
            bytes += "\u{1B}[\(count)P".utf8
            move(to: end, from: Cursor(position: first, isCertain: false), within: false, &bytes)
            bytes += "\u{1B}[\(count)@".utf8
            cursor = Cursor(position: end, isCertain: false)
        }
        for run in runs {
            if run.position != cursor?.position {
                let isWithin = run.style == style
                move(to: run.position, from: run.isContested ? nil : cursor, within: isWithin, &bytes)
            }
            select(run.style, after: style, &bytes)
            style = run.style
            let text = characters.sent(separated(run.text)).utf8
            bytes += text
            if run.reordersFollowing, characters == .unicode { bytes += Self.leftToRight }
            let end = Position(column: run.position.column + run.columns, row: run.position.row)
            // Behind the last column, the cursor stays in it.
            let isCertain = end.column < columns && text.count == run.columns
            cursor = run.isContested ? nil : Cursor(position: end, isCertain: isCertain)
        }
        select(.plain, after: style, &bytes)
        return bytes + Self.end
    }

    /// The position of the cursor.
    private struct Cursor {
        let position: Position
        /// Whether all terminals agree about the column, because the last text was ASCII.
        let isCertain: Bool
    }

    /// Moves the cursor by the shortest sequence that is safe. Within one style, such as a row of bars, that may be a relative
    /// step (CUF): if a terminal counts a character wider, only this run is affected. Anything else gets an absolute column
    /// (CHA).
    ///
    /// A line feed moves one row down in the same column, because the device is raw. Backspaces are used only after ASCII.
    ///
    /// - Parameters:
    ///   - cursor: the present position, if known.
    ///   - isWithin: whether the next run has the style of the previous one.
    private func move(to position: Position, from cursor: Cursor?, within isWithin: Bool, _ bytes: inout [UInt8]) {
        guard let cursor, 0...1 ~= position.row - cursor.position.row else {
            bytes += "\u{1B}[\(position.row + 1)".utf8
            if position.column > 0 { bytes += ";\(position.column + 1)".utf8 }
            bytes.append(UInt8(ascii: "H"))
            return
        }
        let isBelow = position.row > cursor.position.row
        if isBelow { bytes.append(UInt8(ascii: "\n")) }
        let step = position.column - cursor.position.column
        let address = "\u{1B}[\(position.column + 1)G"
        if isBelow, cursor.isCertain, -step < address.utf8.count, step <= 0 {
            bytes += repeatElement(8, count: -step)
        } else if !isBelow, isWithin, 1...9 ~= step {
            bytes += (step == 1 ? "\u{1B}[C" : "\u{1B}[\(step)C").utf8
        } else {
            bytes += address.utf8
        }
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

    private func select(_ style: Style, after old: Style, _ bytes: inout [UInt8]) {
        let codes = rendition.codes(from: old, to: style)
        guard !codes.isEmpty else { return }
        bytes += "\u{1B}[".utf8
        bytes += codes.map(String.init).joined(separator: ";").utf8
        bytes.append(UInt8(ascii: "m"))
    }
}

extension Run {
    /// Whether the next run begins behind a bar at the end of this one, so that it has to be painted after it.
    fileprivate func overflows(into next: Run) -> Bool {
        text.last?.overflowsCell == true && next.position.row == position.row
            && next.position.column == position.column + columns
    }
}
