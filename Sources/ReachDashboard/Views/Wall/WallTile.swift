import ReachMonitoring
import ReachScreen

/// A target of the wall as a tile: its name, its figure, and a chart of its last round trips.
///
/// ```
/// ▸○ NAS
///    down 12s  refused
///    ▁▁▁▁▁▁▂▁▁▁▁▁▁××××××
/// ```
struct WallTile {
    let state: TargetState
    let context: ViewContext
    let isSelected: Bool

    private var appearance: Appearance { context.appearance }
    /// The columns before the texts: the selection mark, the glyph and a blank.
    private static let margin = 3

    /// The time that the charts of a wall of tiles cover.
    static func legend(width: Int, height: Int) -> String {
        "last \(sparkline(width: width, height: height).span.components.seconds) s"
    }

    /// The width and time of the chart. A higher chart has two columns per character.
    private static func sparkline(width: Int, height: Int) -> SparklineSpan {
        let columnsPerCell = chartHeight(ofTile: height) == 1 ? 1 : BrailleChart.columnsPerCell
        return SparklineSpan(filling: width - WallForm.frame, columnsPerCell: columnsPerCell)
    }

    /// The rows of the chart, between the figure and the blank line below the tile.
    private static func chartHeight(ofTile height: Int) -> Int { max(1, height - 3) }

    func draw(in area: Area, on frame: inout Frame) {
        let row = TableRow(newestOf: state, context: context)
        var style = appearance.wallStyle(of: state.targetSummary)
        // A degraded target is as conspicuous as one that is up.
        if row.role == .degraded { style.attributes.insert(.bold) }
        let nameStyle = isSelected ? Style(nil, .reversed) : row.role == .up ? appearance[.title] : style
        let glyph = [
            context.leadMark(of: state.id, isSelected: isSelected),
            Segment(String(row.glyph), appearance[row.role]), Segment(" ", .plain),
        ]
        let mark = state.mark(appearance)
        let name = state.target.label.truncated(
            toColumns: area.columns - 1 - Self.margin - mark.displayWidth,
            ellipsis: appearance.glyphs.ellipsis
        )
        write(glyph + [Segment(name, nameStyle)] + mark, column: 0, row: 0, in: area, on: &frame)
        write(figure(row, width: area.columns - WallForm.frame), column: Self.margin, row: 1, in: area, on: &frame)
        drawChart(in: area, on: &frame)
    }

    private func write(_ segments: [Segment], column: Int, row: Int, in area: Area, on frame: inout Frame) {
        frame.write(
            segments,
            at: Position(column: area.column + column, row: area.row + row),
            limit: area.columns - 1 - column,
            ellipsis: appearance.glyphs.ellipsis
        )
    }

    /// The last round trip of a target that replies, or the health and its age; and the cause, if it fits.
    private func figure(_ row: TableRow, width: Int) -> [Segment] {
        let role = row.role
        var segments: [Segment]
        if role == .up || role == .degraded {
            // A link, a route or a command has no round trip.
            guard let last = state.lastReply?.roundTrip else { return row.segments(of: .health, width: width) }
            // While a streak of losses runs, the round trip is that of the last reply.
            segments = [Segment(last.roundTripText, style(role))]
        } else if state.isBlocked {
            return row.segments(of: .health, width: width)
        } else if let fault = state.fault, state.targetSummary.isFaulty, state.health == .unknown {
            return [Segment(fault.detail, appearance[role])]
        } else {
            let age = (context.now - state.since).spanText
            segments = [Segment("\(state.healthName) \(age)", style(role))]
        }
        if let pending = state.pending {
            segments.append(Segment(" \(pending.streak)/\(pending.threshold)", appearance[.degraded]))
        }
        let left = width - segments.displayWidth - 2
        // The cause of a failure is cut to the width, but the detail of a reply is left out.
        if left >= 6, let cause = state.cause(fitting: left, at: context.now), role != .up || cause.displayWidth <= left
        {
            let text = cause.truncated(toColumns: left, ellipsis: appearance.glyphs.ellipsis)
            segments.append(Segment("  \(text)", appearance[.faint]))
        }
        return segments
    }

    /// The style of the figure, which also shows that the health has just changed.
    private func style(_ role: Role) -> Style {
        context.style(role, of: .figure(.health, state.id))
    }

    private func axis(in area: Area) -> TimeAxis {
        let sparkline = Self.sparkline(width: area.columns, height: area.rows)
        var axis = TimeAxis(sparkline, until: context.chartEnd, origin: context.chartOrigin)
        axis.end(at: context.chartEnd(of: state, step: axis.step))
        return axis
    }

    private func drawChart(in area: Area, on frame: inout Frame) {
        let height = Self.chartHeight(ofTile: area.rows)
        let axis = axis(in: area)
        let slow = state.target.thresholds.slow
        let state = context.charted(state)
        guard height > 1 else {
            let sparkline = Sparkline(state, along: axis)
            guard !sparkline.columns.allSatisfy(\.isBlank) else {
                return drawBaseLine(of: axis, row: 2, in: area, on: &frame)
            }
            let segments = sparkline.segments(slow: slow, state.statistics, appearance: appearance)
            return write(segments.calmed(self.state, appearance), column: Self.margin, row: 2, in: area, on: &frame)
        }
        let chart = AreaChart(state, along: axis, height: height, cursor: nil, appearance: appearance)
        guard !chart.isBlank else { return drawBaseLine(of: axis, row: height + 1, in: area, on: &frame) }
        for (index, line) in chart.lines.enumerated() {
            let position = Position(column: area.column + Self.margin, row: area.row + 2 + index)
            frame.write(line.calmed(self.state, appearance), at: position, limit: area.columns - 1 - Self.margin)
        }
    }

    /// Draws a base line in place of a chart without probes.
    private func drawBaseLine(of axis: TimeAxis, row: Int, in area: Area, on frame: inout Frame) {
        let line = String(repeating: appearance.glyphs.limit, count: axis.cells)
        write([Segment(line, appearance[.faint])], column: Self.margin, row: row, in: area, on: &frame)
    }
}

/// A target of the wall as its glyph, its name, its figure, and a bar as long as its round trip.
struct WallName {
    let state: TargetState
    /// The name, without what all names have in common.
    let label: String
    let isSelected: Bool
    /// The width of the name.
    let width: Int
    let hasFigures: Bool
    /// The columns of the bar; 0 for none.
    let barWidth: Int

    func draw(in area: Area, on frame: inout Frame, context: ViewContext, scale: WallScale) {
        let appearance = context.appearance
        let summary = state.targetSummary
        let style = appearance.wallStyle(of: summary)
        let isUp = summary.role == .up
        let figure = hasFigures ? self.figure(of: summary, now: context.now) : nil
        // The mark may take the blanks before the figure, or its place.
        let mark = state.mark(appearance)
        let end = figure.map { width + WallForm.figure - $0.displayWidth - 1 } ?? area.columns - WallForm.frame
        let name =
            label.shortened(toColumns: min(width, end - mark.displayWidth), ellipsis: appearance.glyphs.ellipsis)
        let shownStyle = isUp ? appearance[.text] : style
        let isChanged = context.isHighlighted(.figure(.health, state.id))
        let nameStyle = isSelected ? Style(nil, .reversed) : isChanged ? shownStyle.highlighted : shownStyle
        let glyph = [
            context.leadMark(of: state.id, isSelected: isSelected),
            Segment(String(summary.glyph(appearance.glyphs)), isUp ? appearance[.up] : appearance[summary.role]),
            Segment(" ", .plain),
        ]
        frame.write(
            glyph + [Segment(name, nameStyle)] + mark,
            at: Position(column: area.column, row: area.row),
            limit: area.columns,
            ellipsis: appearance.glyphs.ellipsis
        )
        guard let figure else { return }
        let column = area.column + WallForm.frame - 1 + width + WallForm.figure - figure.displayWidth
        frame.write(
            figure,
            at: Position(column: column, row: area.row),
            style: isUp ? appearance[.faint] : appearance[summary.role]
        )
        guard barWidth > 0, let roundTrip = summary.roundTrip, summary.health == .up || summary.health == .degraded,
            !summary.isPausedOrBlocked
        else { return }
        let bar = String(repeating: appearance.glyphs.bar, count: scale.barLength(of: roundTrip, columns: barWidth))
        let start = area.column + WallForm.frame + width + WallForm.figure
        frame.write(bar, at: Position(column: start, row: area.row), style: appearance[summary.role])
    }

    /// The last round trip; for a target that is down, how long it has been.
    private func figure(of summary: TargetSummary, now: Duration) -> String? {
        switch summary.health {
        case _ where summary.isPausedOrBlocked: nil
        case .down: (now - state.since).spanText
        case .up, .degraded: summary.roundTrip?.roundTripText
        case .unknown: nil
        }
    }
}
