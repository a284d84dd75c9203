import Monitoring
import Screen

/// Round trips over time as a line of dots, two columns and four levels to a character.
///
/// Lost probes are marked in the lowest line, and what is above the scale in the highest one.
struct BrailleChart: Sendable, Hashable {
    /// What a character of the chart says.
    enum Kind: Sendable, Hashable, Comparable {
        /// Nothing.
        case blank
        /// Round trips.
        case normal
        /// Round trips above the target's `slow`.
        case slow
        /// Round trips above the scale.
        case clipped
        /// Lost probes.
        case loss
    }

    struct Cell: Sendable, Hashable {
        let character: Character
        let kind: Kind
    }

    /// Columns to a character, for the axis that the columns come from.
    static let columnsPerCell = 2
    private static let levelsPerCell = 4
    /// Unicode's dots of a braille cell: the left column from the top, then the right one.
    private static let dots = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// The characters, line by line from the top, all lines equally long.
    let lines: [[Cell]]

    /// A chart of the columns of an axis with ``columnsPerCell``.
    ///
    /// - Parameters:
    ///   - columns: oldest first.
    ///   - scale: what the highest level stands for.
    ///   - slow: the round trip above which a reply is slow.
    ///   - height: in characters.
    init(_ columns: [ChartColumn], scale: ChartScale, slow: Duration?, height: Int, glyphs: Glyphs) {
        let height = max(1, height)
        let width = (columns.count + Self.columnsPerCell - 1) / Self.columnsPerCell
        let count = height * Self.levelsPerCell
        var bits = [[Int]](repeating: Array(repeating: 0, count: width), count: height)
        var kinds = [[Kind]](repeating: Array(repeating: .blank, count: width), count: height)
        var previous: Int?
        for (index, column) in columns.enumerated() {
            let (cell, half) = index.quotientAndRemainder(dividingBy: Self.columnsPerCell)
            guard case .roundTrip(let roundTrip) = column else {
                if column == .lost { kinds[height - 1][cell] = .loss }
                previous = nil
                continue
            }
            let reached = scale.level(of: roundTrip, count: count)
            let level = reached ?? count - 1
            let kind: Kind = slow.map { roundTrip > $0 } ?? false ? .slow : .normal
            // A line from the column before, so that a jump is seen as one.
            for dot in min(level, previous ?? level)...max(level, previous ?? level) {
                let line = height - 1 - dot / Self.levelsPerCell
                bits[line][cell] |= Self.dots[half][Self.levelsPerCell - 1 - dot % Self.levelsPerCell]
                kinds[line][cell] = max(kinds[line][cell], kind)
            }
            if reached == nil, kinds[0][cell] != .loss { kinds[0][cell] = .clipped }
            previous = level
        }
        lines = zip(bits, kinds).map { bits, kinds in
            zip(bits, kinds).map { bits, kind in
                switch kind {
                case .blank: Cell(character: " ", kind: kind)
                case .normal, .slow: Cell(character: glyphs.dots[bits], kind: kind)
                case .clipped: Cell(character: glyphs.clipped, kind: kind)
                case .loss: Cell(character: glyphs.loss, kind: kind)
                }
            }
        }
    }

    /// A line as styled text.
    func segments(ofLine line: Int, look: Look) -> [Segment] {
        lines[line].chunked(by: \.kind).map { kind, cells in
            Segment(String(cells.map(\.character)), kind == .blank ? .plain : look[kind.role])
        }
    }
}

extension BrailleChart.Kind {
    var role: Role {
        switch self {
        case .blank: .faint
        case .normal: .up
        case .slow, .clipped: .degraded
        case .loss: .down
        }
    }
}
