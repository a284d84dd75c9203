import Monitoring
import Screen

/// A chart of round trips over time as a line of braille dots: two columns and four levels per character.
///
/// Lost probes are marked in the lowest line, and values above the scale in the highest one.
struct BrailleChart: Sendable, Hashable {
    /// The content of a character, which selects its style.
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

    /// Chart columns per character, for the axis of the columns.
    static let columnsPerCell = 2
    private static let levelsPerCell = 4
    /// Unicode's dot bits of a braille cell: the left column from the top, then the right one.
    private static let dots = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

    /// The characters, line by line from the top. All lines have the same length.
    let lines: [[Cell]]

    /// Creates a chart of the columns of an axis with ``columnsPerCell``.
    ///
    /// - Parameters:
    ///   - columns: the columns, oldest first.
    ///   - scale: the scale of the levels.
    ///   - slow: the round trip above which a reply is slow.
    ///   - height: the height in characters.
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
            // A vertical line from the previous column, so that a jump is connected.
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

    /// Returns a line as styled text.
    func segments(ofLine line: Int, appearance: Appearance) -> [Segment] {
        lines[line].chunked(by: \.kind).map { kind, cells in
            Segment(String(cells.map(\.character)), kind == .blank ? .plain : appearance[kind.role])
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
