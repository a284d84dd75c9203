import Monitoring
import Screen

/// The lines of a target's chart without its axes: an area of round trips, and the rail of losses below it.
///
/// ```
///       ▲ 912ms
/// ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄
/// ⣀⣠⣤⣀⣠⣿⣤⣀⣀⣀⣤⣤    ⣠⣤⣀
/// ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿    ⣿⣿⣿
///             ▆▆▆▆
/// ```
struct AreaChart {
    /// The scale; nil if there is no round trip to show.
    let scale: ChartScale?
    /// The marks of the vertical axis, by line.
    let marks: [Int: String]
    /// The lines of the area, from the top.
    let lines: [[Segment]]
    /// The rail of losses.
    let rail: [Segment]

    /// Creates the chart of a target along an axis.
    ///
    /// - Parameters:
    ///   - height: the height of the area in lines.
    ///   - cursor: the index of the character at the time cursor.
    init(_ state: TargetState, along axis: TimeAxis, height: Int, cursor: Int?, appearance: Appearance) {
        let columns = ChartColumn.columns(of: state, along: axis)
        let scale = ChartScale(columns, height: height)
        let slow = state.target.thresholds.slow
        let chart = BrailleChart(columns, scale: scale, height: height, glyphs: appearance.glyphs)
        let height = chart.lines.count
        // A limit that equals a mark is drawn in the line of the mark.
        let limit = slow.flatMap { slow in
            scale.flatMap { $0.bottom < slow ? $0.level(of: slow - .nanoseconds(1), count: height) : nil }
        }
        self.scale = scale
        marks = scale.map { ChartGrid($0, height: height).marks } ?? [:]
        rail = LossRail(columns, columnsPerCell: axis.columnsPerCell).segments(appearance: appearance)
            .marked(at: cursor, appearance: appearance)
        lines = chart.lines.enumerated().map { index, cells in
            let level = height - 1 - index
            let roundTrip = scale?.value(ofLevel: level, count: height) ?? .zero
            let area = appearance.gradient.style(of: roundTrip, slow: slow, top: scale?.top ?? .zero)
            var line = cells.map { cell -> Piece in
                switch cell.kind {
                case .area: Piece(cell.character, area)
                case .maximum: Piece(cell.character, appearance[.faint])
                case .clipped: Piece(cell.character, appearance[.degraded])
                case .blank:
                    level == limit ? Piece(appearance.glyphs.limit, appearance[.faint]) : Piece(" ", .plain)
                }
            }
            if index == 0 {
                let blank = cells.map { $0.kind == .blank }
                Self.write(chart.clipped, in: &line, where: blank, style: appearance[.degraded])
            }
            let segments = line.chunked(by: \.style).map { Segment(String($1.map(\.character)), $0) }
            return segments.marked(at: cursor, appearance: appearance)
        }
    }

    /// A character in its style.
    private struct Piece {
        let character: Character
        let style: Style

        init(_ character: Character, _ style: Style) {
            (self.character, self.style) = (character, style)
        }
    }

    /// Writes the values of clipped characters beside their marks, the largest first: where its text and a blank fit, or
    /// at worst over the top of the area, so that at least the largest is shown. Adjacent marks share the largest value.
    private static func write(_ values: [Int: Duration], in line: inout [Piece], where blank: [Bool], style: Style) {
        var isFree = blank
        for (order, run) in runs(of: values).enumerated() {
            let text = Array(run.value.roundTripText)
            // On the right of the marks with a blank after it, or on their left with one before it.
            let (start, end, length) = (run.cells.lowerBound, run.cells.upperBound, text.count + 1)
            let rooms = [end..<end + length, start - length..<start]
            let room = rooms.first { room in
                room.allSatisfy { isFree.indices.contains($0) ? isFree[$0] : $0 == isFree.count }
            }
            let last = order == 0 ? rooms.first { $0.lowerBound >= -1 && $0.upperBound <= line.count + 1 } : nil
            guard let room = room ?? last else { continue }
            for index in room where isFree.indices.contains(index) { isFree[index] = false }
            let first = room == rooms[0] ? end : room.lowerBound + 1
            for (offset, character) in text.enumerated() { line[first + offset] = Piece(character, style) }
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

extension TimeAxis {
    /// What a column of a chart shows if it covers several probes; nil if it covers one.
    func legend(interval: Duration, glyphs: Glyphs) -> String? {
        guard step > interval else { return nil }
        return "median, \(glyphs.maximum) max per \(step.roundTripText)"
    }
}
