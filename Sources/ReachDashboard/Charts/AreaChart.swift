import ReachMonitoring
import ReachScreen

/// The lines of a target's chart without its axes: an area of round trips and, where probes were lost, the rail of losses below
/// it. Values above the scale have a line of their own.
///
/// ```
///       ▲ 912ms
/// ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
/// ⣀⣠⣤⣀⣠⣿⣤⣀⣀⣀⣤⣤    ⣠⣤⣀
/// ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    ⣿⣿⣿
///             ▆▆▆▆
/// ```
struct AreaChart {
    /// The marks of the vertical axis, by line.
    let marks: [Int: Segment]
    /// Whether there is no round trip to show.
    let isEmpty: Bool
    /// Whether there is no probe to show.
    let isBlank: Bool
    /// The lines, from the top. The last one is the rail if probes were lost.
    let lines: [[Cell]]
    /// Whether probes were lost.
    let hasLosses: Bool

    /// The mark of the lower edge where no rail is below it, for the base line.
    let baseMark: Segment?

    /// Creates the chart of a target along an axis.
    ///
    /// - Parameters:
    ///   - columns: the columns of the stored history; nil for those of the samples.
    ///   - height: the height in lines, with those of values above the scale and of losses.
    ///   - startsAtZero: whether the scale starts at zero in any case.
    ///   - levels: round trips that are marked at the vertical axis.
    ///   - changes: the characters at which a line is drawn above the area.
    ///   - cursor: the index of the character at the time cursor.
    init(
        _ state: TargetState,
        along axis: TimeAxis,
        columns stored: [ChartColumn]? = nil,
        height: Int,
        startsAtZero: Bool = false,
        levels: [Duration] = [],
        changes: [Int] = [],
        cursor: Int?,
        appearance: Appearance
    ) {
        // In an area of several lines, drawing the newest column twice in each interval costs more than it shows.
        let columns = stored ?? ChartColumn.columns(of: state, along: axis, repeatsNewest: false)
        let slow = state.target.thresholds.slow
        hasLosses = columns.contains { $0.losses > 0 }
        let height = max(1, hasLosses ? height - 1 : height)
        let makeScale = { ChartScale(columns, height: $0, slow: slow, startsAtZero: startsAtZero) }
        var scale = makeScale(height)
        let hasClippedLine = height > 1 && scale?.clips(columns) ?? false
        let first = hasClippedLine ? 1 : 0
        if hasClippedLine { scale = makeScale(height - 1) }
        isEmpty = scale == nil
        isBlank = columns.allSatisfy(\.isBlank)
        let chart = BrailleChart(columns, scale: scale, height: height - first, glyphs: appearance.glyphs)
        let grid = scale.map { ChartGrid($0, height: chart.lines.count, slow: slow, levels: levels) }

        var marks = (grid?.segments(appearance: appearance) ?? [:]).reduce(into: [:]) { $0[$1.key + first] = $1.value }
        baseMark = hasLosses ? nil : marks.removeValue(forKey: height - 1)
        var lines = Self.lines(of: chart, scale: scale, limit: grid?.limit?.line, slow: slow, appearance: appearance)
        if hasClippedLine { lines.insert(Array(repeating: .blank, count: axis.cells), at: 0) }
        Self.write(chart.clipped, in: &lines[0], appearance: appearance)
        for cell in changes { lines.drawLine(at: cell, appearance: appearance) }
        if hasLosses {
            marks[lines.count] = Segment("lost", appearance[.faint])
            lines.append(LossRail(columns, columnsPerCell: axis.columnsPerCell).cells(appearance: appearance))
        }
        if let cursor {
            for line in lines.indices { lines[line].mark(at: cursor, appearance: appearance) }
        }
        (self.marks, self.lines) = (marks, lines)
    }

    /// Returns the lines of a chart in its colours. A character has the colour of the longest round trip that it shows.
    ///
    /// - Parameter limit: the line of the limit of slow replies. It is drawn where nothing is, and inside of the area.
    private static func lines(
        of chart: BrailleChart,
        scale: ChartScale?,
        limit: Int?,
        slow: Duration?,
        appearance: Appearance
    ) -> [[Cell]] {
        let (longest, slow) = (scale?.longest.nanoseconds ?? 0, slow?.nanoseconds)
        let style = { appearance.gradient.style(ofNanoseconds: $0, slow: slow, top: longest) }
        let (faint, medianStyles) = (appearance[.faint], chart.medians.map(style))
        let limitCell = Cell(narrow: appearance.glyphs.limit, faint)
        return chart.lines.enumerated().map { line, cells in
            let top = (scale?.value(atTopOf: line, height: chart.lines.count) ?? .zero).nanoseconds
            let topStyle = style(top)
            return cells.enumerated().map { index, cell in
                let isInside = cell.kind == .full && line > 0 && chart.lines[line - 1][index].kind.isArea
                if line == limit, cell.kind == .blank || isInside { return limitCell }
                switch cell.kind {
                case .area, .full:
                    let isHigher = chart.medians[index] >= top
                    return Cell(narrow: cell.character, isHigher ? topStyle : medianStyles[index])
                case .maximum: return Cell(narrow: cell.character, faint)
                case .blank: return .blank
                }
            }
        }
    }

    /// Writes the marks of values above the scale, and their values beside them, the largest first: where its text and a
    /// blank fit, or at worst over other marks, so that the largest is shown. Adjacent marks share the largest value.
    private static func write(_ values: [Int: Duration], in line: inout [Cell], appearance: Appearance) {
        guard !values.isEmpty else { return }
        let style = appearance[.degraded]
        var isFree = line.map { $0.character == " " }
        let hasOnlyMarks = !isFree.contains(false)
        for cell in values.keys {
            isFree[cell] = false
            line[cell] = Cell(narrow: appearance.glyphs.clipped, style)
        }
        for (order, run) in runs(of: values).enumerated() {
            let text = Array(run.value.roundTripText)
            // On the right of the marks with a blank after it, or on their left with one before it.
            let (start, end, length) = (run.cells.lowerBound, run.cells.upperBound, text.count + 1)
            let spaces = [end..<end + length, start - length..<start]
            let space = spaces.first { space in
                space.allSatisfy { isFree.indices.contains($0) ? isFree[$0] : $0 == isFree.count }
            }
            let last =
                order == 0 && hasOnlyMarks
                ? spaces.first { $0.lowerBound >= -1 && $0.upperBound <= line.count + 1 } : nil
            guard let space = space ?? last else { continue }
            for index in space where isFree.indices.contains(index) { isFree[index] = false }
            let first = space == spaces[0] ? end : space.lowerBound + 1
            for (offset, character) in text.enumerated() { line[first + offset] = Cell(narrow: character, style) }
        }
    }

    /// Returns the runs of adjacent characters with a value, each with its largest one, the largest first.
    private static func runs(of values: [Int: Duration]) -> [(cells: Range<Int>, value: Duration)] {
        var runs: [(cells: Range<Int>, value: Duration)] = []
        for (cell, value) in values.sorted(by: { $0.key < $1.key }) {
            if let last = runs.last, last.cells.upperBound == cell {
                runs[runs.count - 1] = (last.cells.lowerBound..<cell + 1, max(last.value, value))
            } else {
                runs.append((cell..<cell + 1, value))
            }
        }
        return runs.sorted { ($1.value, $0.cells.lowerBound) < ($0.value, $1.cells.lowerBound) }
    }
}

extension BrailleChart.Kind {
    /// Whether a character shows round trips up to the median.
    var isArea: Bool { self == .area || self == .full }
}

extension ChartScale {
    /// Returns whether a column has a value above the scale.
    fileprivate func clips(_ columns: [ChartColumn]) -> Bool {
        let top = top.nanoseconds
        return columns.contains { $0.maximumNanoseconds.map { $0 > top } ?? false }
    }
}

extension ChartGrid {
    /// The marks as styled text. That of the limit replaces the one of its line.
    fileprivate func segments(appearance: Appearance) -> [Int: Segment] {
        var segments = marks.mapValues { Segment($0, appearance[.faint]) }
        segments.merge(levels.mapValues { Segment($0, appearance[.text]) }) { $1 }
        if let limit { segments[limit.line] = Segment(limit.mark, appearance[.degraded]) }
        return segments
    }
}

extension [[Cell]] {
    /// Draws a dashed line at a character, where nothing is.
    fileprivate mutating func drawLine(at cell: Int, appearance: Appearance) {
        for line in indices where self[line].indices.contains(cell) {
            let character = self[line][cell].character
            guard character == " " || character == appearance.glyphs.limit else { continue }
            self[line][cell] = Cell(narrow: appearance.glyphs.dashes, appearance[.faint])
        }
    }
}

extension [Cell] {
    /// Draws the time cursor at a character, as in ``Swift/Array/marked(at:appearance:)``.
    fileprivate mutating func mark(at cell: Int, appearance: Appearance) {
        guard indices.contains(cell) else { return }
        let character = self[cell].character
        self[cell] = Cell(narrow: character == " " ? appearance.glyphs.edge : character, appearance[.accent])
    }

    /// The line in the colours of a target whose failure is expected, if it is one.
    func calmed(_ state: TargetState, _ appearance: Appearance) -> [Cell] {
        guard state.targetSummary.isFailureExpected else { return self }
        return map { $0.style == appearance[.down] ? Cell(narrow: $0.character, appearance[.waiting]) : $0 }
    }
}

extension Frame {
    /// Draws the axis beside a line of a chart: its mark, right-aligned, a blank, and the edge of the chart, which ends the
    /// margin.
    mutating func writeAxis(_ mark: Segment?, at position: Position, margin: Int, _ appearance: Appearance) {
        let end = position.column + margin - 1
        fill(row: position.row, columns: position.column..<end, style: mark?.style ?? appearance[.faint])
        fill(row: position.row, columns: end..<end + 1, with: appearance.glyphs.edge, style: appearance[.faint])
        guard let mark else { return }
        let start = Position(column: end - 1 - mark.text.displayWidth, row: position.row)
        write(mark.text, at: start, style: mark.style)
    }
}

extension TimeAxis {
    /// What a column of a chart shows if it covers several probes; nil if it covers one.
    func legend(interval: Duration, glyphs: Glyphs) -> String? {
        guard step > interval else { return nil }
        return "median, \(glyphs.maximum) max per \(step.limitText)"
    }
}

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
    ///   - isLine: whether the medians are a line on any scale.
    init(_ columns: [ChartColumn], scale: ChartScale?, height: Int, isLine: Bool = false, glyphs: Glyphs) {
        let height = max(1, height)
        let width = (columns.count + Self.columnsPerCell - 1) / Self.columnsPerCell
        let count = height * Self.levelsPerCell
        let isLine = isLine || scale.map { $0.bottom > .zero } ?? false
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
            // A line is continuous: it starts at the level of the column before.
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
