public import ReachScreen

/// An encoder that turns the changes between frames into bytes for a terminal.
public struct Encoder: Sendable {
    private let rendition: SelectGraphicRendition
    private let characters: CharacterSupport

    /// An encoder for a terminal that shows these colours and characters.
    public init(color: ColorSupport, characters: CharacterSupport = .unicode) {
        rendition = SelectGraphicRendition(color: color)
        self.characters = characters
    }

    /// The bytes that turn one frame into another; none if they look the same.
    public func encode(_ frame: Frame, over old: Frame?) -> [UInt8] {
        var update = UpdateWriter(rendition: rendition, characters: characters, columns: frame.size.columns)
        guard let old, old.size == frame.size else {
            update.clear()
            for run in frame.runs { update.paint(run) }
            update.end()
            return update.bytes
        }
        let changes = frame.changes(from: old)
        let runs = changes.runs
        guard !changes.isEmpty else { return [] }
        for block in Self.blocks(of: changes.moves) { update.move(block) }
        var inOrder = update
        for run in runs { inOrder.paint(run) }
        inOrder.end()
        // Cells around a contested cluster are painted again after it, so their order is fixed. Another order pays off only
        // for scattered figures.
        guard 2...Self.maxScatteredRuns ~= runs.count, !runs.contains(where: \.isContested),
            !zip(runs, runs.dropFirst()).contains(where: { $0.overflows(into: $1) })
        else { return inOrder.bytes }
        for run in groupedByStyle(runs) { update.paint(run) }
        update.end()
        return update.bytes.count < inOrder.bytes.count ? update.bytes : inOrder.bytes
    }

    /// The most runs that are tried in another order.
    private static let maxScatteredRuns = 1_000

    /// The moves grouped by their columns and distance, as for the rows of a chart.
    private static func blocks(of moves: [CellMove]) -> [[CellMove]] {
        var blocks: [[CellMove]] = []
        for move in moves {
            let block = blocks.firstIndex { $0[0].columns == move.columns && $0[0].distance == move.distance }
            if let block { blocks[block].append(move) } else { blocks.append([move]) }
        }
        return blocks
    }

    /// The runs grouped by the style that the terminal shows, and within a style by their last column. Figures below each
    /// other then need neither a change of style nor a full cursor address.
    private func groupedByStyle(_ runs: [Run]) -> [Run] {
        var groups: [Style: Int] = [:]
        var groupsByCodes: [[UInt8]: Int] = [:]
        for run in runs where groups[run.style] == nil {
            let codes = rendition.codes(from: .plain, to: run.style)
            let group = groupsByCodes[codes] ?? groupsByCodes.count
            (groupsByCodes[codes], groups[run.style]) = (group, group)
        }
        let keyed = runs.map { (group: groups[$0.style] ?? 0, end: $0.position.column + $0.columns, run: $0) }
        let sorted = keyed.sorted { one, other in
            (one.group, one.end, one.run.position.row) < (other.group, other.end, other.run.position.row)
        }
        return sorted.map(\.run)
    }
}

extension Run {
    /// Whether the next run begins behind a bar at the end of this one, so that it has to be painted after it.
    fileprivate func overflows(into next: Run) -> Bool {
        text.last?.overflowsCell == true && next.position.row == position.row
            && next.position.column == position.column + columns
    }
}

/// The colours that a terminal supports and its user allows.
public enum ColorSupport: Sendable, Hashable, CaseIterable {
    /// No colour. Bold, faint, underlined and reversed text remain.
    case none
    /// The sixteen colours of the palette.
    case sixteen
    /// xterm's 256: the sixteen, a cube and greys.
    case indexed
    /// 24-bit colours.
    case direct
}

/// The characters that a terminal supports.
public enum CharacterSupport: Sendable, Hashable, CaseIterable {
    /// All of them, in UTF-8.
    case unicode
    /// ASCII only: the terminal would show other bytes as letters of another encoding, or execute them as controls.
    case ascii

    /// The text as it is sent. For ASCII, each column of another character becomes a question mark.
    public func sent(_ text: String) -> String {
        guard self == .ascii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { $0.isASCII ? String($0) : String(repeating: "?", count: $0.displayWidth) }.joined()
    }
}
