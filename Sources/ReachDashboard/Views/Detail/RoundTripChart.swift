import ReachMonitoring
import ReachScreen

/// The large chart of round trips, with labels on both axes.
///
/// ```
///   1.0s │      ▲ 4.8s     ⢀⣀⣀⡀
///  500ms │┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⢸⣿⣿⣿
///      0 │⣤⣤⣤⣤⣤⣤⣤⣤⣤⣤  ⣤⣤⣤⣤⣤⣼⣿⣿⣿
///   lost │          ▆▆
///        └──────┴────⇄─────────┴──
///           14:01:30  △ 14:01  14:02:00
/// ```
///
/// Marks in the base line are changes of the path, those with a time lasting changes of the usual round trips. The levels
/// of the newest one are marked at the vertical axis.
struct RoundTripChart {
    let context: ViewContext
    let state: TargetState
    let axis: TimeAxis
    let width: Int
    /// The name of the target, where the screen does not show it otherwise.
    private let name: String?
    /// The lines of the area and the rail of losses, counted from the heading.
    let areaLines: Range<Int>

    private var appearance: Appearance { context.appearance }

    /// The columns left of the chart: labels of at most seven columns, and the axis.
    static let margin = 9
    /// The least height in lines, with the heading.
    static let minimumHeight = 9

    /// Creates a chart.
    ///
    /// - Parameters:
    ///   - height: the height in lines, at least ``minimumHeight``.
    ///   - name: the name of the target for the heading.
    init(context: ViewContext, state: TargetState, axis: TimeAxis, width: Int, height: Int, name: String? = nil) {
        (self.context, self.state, self.axis, self.width, self.name) = (context, state, axis, width, name)
        areaLines = 1..<max(Self.minimumHeight, height) - 2
    }

    /// The height in lines.
    var height: Int { areaLines.upperBound + 2 }

    /// Draws the chart.
    ///
    /// - Parameters:
    ///   - lines: the lines that are visible.
    ///   - position: the position of the heading.
    func draw(_ lines: Range<Int>, at position: Position, on frame: inout Frame) {
        drawAxes(lines, at: position, on: &frame)
        drawArea(lines, at: position, on: &frame)
    }

    /// Draws the heading, the base line, and the times below it.
    private func drawAxes(_ lines: Range<Int>, at position: Position, on frame: inout Frame) {
        let ticks = ClockTicks(axis, wall: context.wall)
        let title = "ound trips of the last \(axis.span.lastSpanText)"
        let shortName = name?.shortened(
            toColumns: max(5, width - title.count - 6),
            ellipsis: appearance.glyphs.ellipsis
        )
        let heading: [Segment] = .heading(
            shortName.map { "\($0): r\(title)" } ?? "R\(title)",
            note: note,
            width: width,
            appearance: appearance
        )
        let rule = String(appearance.glyphs.corner) + ticks.rule(cells: axis.cells, glyphs: appearance.glyphs)
        let shifts = shiftLabels
        let base = Segment(String(repeating: " ", count: Self.margin - 1) + rule, appearance[.faint])
        let reserved = shifts.map { $0.column..<$0.column + $0.label.count }
        let labels = ticks.labels(margin: Self.margin, cells: axis.cells, except: reserved)
        let times = Segment(labels, appearance[.faint])
        for (line, content) in [(0, heading), (height - 2, [base]), (height - 1, [times])] where lines.contains(line) {
            let position = Position(column: position.column, row: position.row + line)
            frame.write(content, at: position, limit: width, ellipsis: appearance.glyphs.ellipsis)
        }
        for (column, label) in shifts where lines.contains(height - 1) {
            let start = Position(column: position.column + column, row: position.row + height - 1)
            frame.write(label, at: start, style: appearance[.degraded])
        }
        guard lines.contains(height - 2) else { return }
        let mark = Cell(narrow: appearance.glyphs.path, appearance[.accent])
        for cell in Set(context.pathChanges(of: state).compactMap { axis.cell(of: $0) }) {
            let column = Self.margin + cell
            guard column < width else { continue }
            frame.write([mark], at: Position(column: position.column + column, row: position.row + height - 2))
        }
    }

    /// The columns of a long time; nil for those of the samples. They are blank until they are read.
    private var storedColumns: [ChartColumn]? {
        guard axis.isStored else { return nil }
        let period = axis.period(wall: context.wall)
        return context.history.columns(of: state.id, period) ?? [ChartColumn](repeating: .blank, count: axis.count)
    }

    /// What the chart shows, beside its heading.
    private var note: String? {
        guard axis.isStored else { return axis.legend(interval: state.target.interval, glyphs: appearance.glyphs) }
        if let problem = context.history.problem { return problem }
        let isRead = context.history.columns(of: state.id, axis.period(wall: context.wall)) != nil
        return isRead ? "median, 95th percentile above it" : "reading the history"
    }

    /// The labels of lasting changes of the usual round trips or losses, the newest first where two have no room.
    private var shiftLabels: [(column: Int, label: String)] {
        var labels: [(column: Int, label: String)] = []
        for (cell, time) in context.shifts(of: state, along: axis).reversed() {
            let wall = context.wall
            let text = axis.span < .seconds(900) ? wall.timeOfDay(at: time) : wall.minuteOfDay(at: time)
            let label = "\(appearance.glyphs.shift) \(text)"
            let column = min(Self.margin + cell, min(width, Self.margin + axis.cells) - label.count)
            guard column >= Self.margin, labels.last.map({ column + label.count < $0.column }) ?? true else { continue }
            labels.append((column, label))
        }
        return labels
    }

    /// Draws the area and the rail of losses, with their labels.
    private func drawArea(_ lines: Range<Int>, at position: Position, on frame: inout Frame) {
        guard lines.overlaps(areaLines.lowerBound..<height), width > Self.margin else { return }
        let chart = AreaChart(
            context.charted(state),
            along: axis,
            columns: storedColumns,
            height: areaLines.count,
            levels: state.changedLevels(along: axis),
            changes: context.shifts(of: state, along: axis).map(\.cell),
            cursor: context.cursor.flatMap { axis.cell(of: $0) },
            appearance: appearance
        )
        for line in lines.clamped(to: areaLines) {
            let index = line - areaLines.lowerBound
            var position = Position(column: position.column, row: position.row + line)
            frame.writeAxis(chart.marks[index], at: position, margin: Self.margin, appearance)
            position.column += Self.margin
            frame.write(chart.lines[index], at: position, limit: width - Self.margin)
        }
        guard let mark = chart.baseMark, lines.contains(height - 2) else { return }
        let start = position.column + Self.margin - 2 - mark.text.displayWidth
        frame.write(mark.text, at: Position(column: start, row: position.row + height - 2), style: mark.style)
    }
}

extension TargetState {
    /// The round-trip levels before and after the newest change; none if it is not in a chart.
    func changedLevels(along axis: TimeAxis) -> [Duration] {
        guard let shift = levelShift, axis.cell(of: shift.began) != nil else { return [] }
        return [shift.before, shift.after]
    }
}

/// The format of the marks of a round trip axis: all in the unit of the largest, with as many decimal places as the
/// step needs.
struct RoundTripAxis: Sendable, Hashable {
    /// A unit of round trips.
    private enum Unit: Sendable, Hashable {
        case seconds, milliseconds, microseconds

        var name: String {
            switch self {
            case .seconds: "s"
            case .milliseconds: "ms"
            case .microseconds: "µs"
            }
        }

        var length: Duration {
            switch self {
            case .seconds: .seconds(1)
            case .milliseconds: .milliseconds(1)
            case .microseconds: .microseconds(1)
            }
        }
    }

    private let unit: Unit
    private let places: Int

    init(top: Duration, step: Duration) {
        let unit: Unit =
            top >= .seconds(1) ? .seconds : top >= .milliseconds(1) ? .milliseconds : .microseconds
        self.unit = unit
        // A step of 1.5 needs one more decimal place than a step of 1 or 2.
        let ratio = step / unit.length
        places =
            (0...3).first { places in
                let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
                return (ratio * factor).rounded() >= 1 && abs(ratio * factor - (ratio * factor).rounded()) < 1e-6
            } ?? 3
    }

    func text(_ value: Duration) -> String {
        value == .zero ? "0" : "\(value.decimal(unit.length, places: places))\(unit.name)"
    }
}
