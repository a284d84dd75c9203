import Monitoring
import Screen

/// A chart of round trips over time in braille dots: two columns and four levels per character.
///
/// On a scale from zero, an area reaches up to a column's median; on another one, the medians are a line. A single dot
/// above is the maximum. Values above the scale are not drawn, but returned.
struct BrailleChart: Sendable, Hashable {
    /// The content of a character, which selects its style.
    enum Kind: Sendable, Hashable {
        /// Nothing.
        case blank
        /// Round trips up to the median.
        case area
        /// The same, with all dots.
        case full
        /// The longest round trip.
        case maximum
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
    /// The longest median of each character in nanoseconds; zero without one.
    let medians: [Int64]
    /// The longest round trip of each character that has one above the scale.
    let clipped: [Int: Duration]

    /// Creates a chart of the columns of an axis with ``columnsPerCell``.
    ///
    /// - Parameters:
    ///   - columns: the columns, oldest first.
    ///   - scale: the scale of the levels; without one, replies are drawn at the lower edge.
    ///   - height: the height in characters.
    init(_ columns: [ChartColumn], scale: ChartScale?, height: Int, glyphs: Glyphs) {
        let height = max(1, height)
        let width = (columns.count + Self.columnsPerCell - 1) / Self.columnsPerCell
        let count = height * Self.levelsPerCell
        let isLine = scale.map { $0.bottom > .zero } ?? false
        var areas = [Int](repeating: 0, count: width * height)
        var maxima = areas
        var medians = [Int64](repeating: 0, count: width)
        var clipped: [Int: Duration] = [:]
        var last: Int?
        for (index, column) in columns.enumerated() {
            guard let median = column.medianNanoseconds, let maximum = column.maximumNanoseconds else {
                last = nil
                continue
            }
            let (cell, half) = index.quotientAndRemainder(dividingBy: Self.columnsPerCell)
            func set(_ level: Int, in dots: inout [Int]) {
                let line = height - 1 - level / Self.levelsPerCell
                dots[line * width + cell] |= Self.dots[half][Self.levelsPerCell - 1 - level % Self.levelsPerCell]
            }
            let level = scale.map { $0.level(ofNanoseconds: median, count: count) ?? count - 1 } ?? 0
            // A line is continuous: it goes on at the level of the column before.
            let levels = isLine ? min(level, last ?? level)...max(level, last ?? level) : 0...level
            for level in levels { set(level, in: &areas) }
            last = level
            medians[cell] = max(medians[cell], median)
            guard let scale else { continue }
            if let level = scale.level(ofNanoseconds: maximum, count: count) {
                set(level, in: &maxima)
            } else {
                clipped[cell] = max(clipped[cell] ?? .zero, .nanoseconds(maximum))
            }
        }
        let isBraille = glyphs.isBraille
        self.clipped = clipped
        self.medians = medians
        lines = (0..<height).map { line in
            (0..<width).map { cell in
                let (area, maximum) = (areas[line * width + cell], maxima[line * width + cell])
                if area != 0 {
                    // Without braille, a character cannot show both.
                    let dots = isBraille ? area | maximum : area
                    return Cell(character: glyphs.dots[dots], kind: area == 0xFF ? .full : .area)
                }
                guard maximum != 0 else { return Cell(character: " ", kind: .blank) }
                return Cell(character: isBraille ? glyphs.dots[maximum] : glyphs.maximum, kind: .maximum)
            }
        }
    }
}
