public import Screen

/// Turns changes into the bytes that show them.
public struct Encoder: Sendable {
    private static let begin = Array("\u{1B}[?2026h".utf8)
    private static let end = Array("\u{1B}[?2026l".utf8)
    private static let clear = Array("\u{1B}[0m\u{1B}[2J".utf8)
    /// A mark that takes no column, and says that what follows is written from left to right: where a terminal turns words
    /// around, a figure belongs to the word before it, across any number of blanks (Unicode's bidirectional algorithm, N1).
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
        encode(frame.changes(from: old), clearing: frame.clearsScreen(after: old))
    }

    /// The bytes for runs, as one synchronized update: the terminal shows them all at once.
    ///
    /// Every update begins and ends with the plain style, and knows nothing of the cursor.
    func encode(_ runs: [Run], clearing: Bool) -> [UInt8] {
        guard clearing || !runs.isEmpty else { return [] }
        var bytes = Self.begin
        if clearing { bytes += Self.clear }
        var style = Style.plain
        var cursor: Position?
        for run in runs {
            if run.position != cursor {
                let isWithin = run.style == style
                move(to: run.position, from: run.isContested ? nil : cursor, within: isWithin, &bytes)
            }
            select(run.style, after: style, &bytes)
            style = run.style
            bytes += characters.sent(run.text).utf8
            if run.turnsWhatFollows, characters == .unicode { bytes += Self.leftToRight }
            cursor = run.isContested ? nil : Position(column: run.position.column + run.columns, row: run.position.row)
        }
        select(.plain, after: style, &bytes)
        return bytes + Self.end
    }

    /// Moves the cursor by the shortest sequence that can be trusted. What lies in one style is one picture, such as a
    /// row of bars: should a terminal take its characters for wider than they are, only that is disturbed by a step
    /// that counts from them (CUF). Whatever else there is in the row has its column for itself (CHA).
    ///
    /// - Parameters:
    ///   - cursor: where it is, if that is known.
    ///   - isWithin: whether what follows looks like what is before the cursor.
    private func move(to position: Position, from cursor: Position?, within isWithin: Bool, _ bytes: inout [UInt8]) {
        if let cursor, cursor.row == position.row {
            let step = position.column - cursor.column
            if isWithin, 1...9 ~= step {
                bytes += (step == 1 ? "\u{1B}[C" : "\u{1B}[\(step)C").utf8
            } else {
                bytes += "\u{1B}[\(position.column + 1)G".utf8
            }
            return
        }
        bytes += "\u{1B}[\(position.row + 1)".utf8
        if position.column > 0 { bytes += ";\(position.column + 1)".utf8 }
        bytes.append(UInt8(ascii: "H"))
    }

    private func select(_ style: Style, after old: Style, _ bytes: inout [UInt8]) {
        let codes = rendition.codes(from: old, to: style)
        guard !codes.isEmpty else { return }
        bytes += "\u{1B}[".utf8
        bytes += codes.map(String.init).joined(separator: ";").utf8
        bytes.append(UInt8(ascii: "m"))
    }
}
