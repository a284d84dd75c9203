import ReachMonitoring
import ReachScreen

extension TimeAxis {
    /// The index of the chart character that shows a time; nil if the time lies outside the chart.
    func cell(of time: Duration) -> Int? {
        let column = column(of: time)
        return (0..<count).contains(column) ? column / columnsPerCell : nil
    }
}

extension [Segment] {
    /// The line with one segment per character.
    var cells: [Segment] {
        flatMap { segment in segment.text.map { Segment(String($0), segment.style) } }
    }

    /// The line of a chart with the time cursor at a character: in the colour of the cursor, or a vertical stroke where
    /// the chart is blank. In reverse video, a low bar would look like a high one.
    func marked(at cell: Int?, appearance: Appearance) -> [Segment] {
        guard let cell else { return self }
        var cells = cells
        guard cells.indices.contains(cell) else { return self }
        let character = cells[cell].text == " " ? String(appearance.glyphs.edge) : cells[cell].text
        cells[cell] = Segment(character, appearance[.accent])
        return cells
    }
}

/// The column of a target's chart that the time cursor selects.
struct CursorSample: Sendable {
    let time: Duration
    /// The value of the selected column.
    let column: ChartColumn

    /// Creates the sample at the time cursor; nil without a cursor.
    init?(of state: TargetState, in context: ViewContext, along axis: TimeAxis) {
        guard let time = context.cursor else { return nil }
        self.time = time
        let index = axis.column(of: time)
        if (0..<axis.count).contains(index) {
            column = ChartColumn.columns(of: context.charted(state), along: axis)[index]
        } else {
            // The cursor was placed on a longer chart and lies outside this one.
            column = state.history.last.map { ChartColumn($0) } ?? .blank
        }
    }
}

extension CursorSample {
    /// The column's longest round trip as styled text, or the mark of lost probes if it has no reply.
    func value(slow: Duration?, appearance: Appearance) -> Segment {
        if column.isLost { return Segment(String(appearance.glyphs.loss), appearance[.down]) }
        guard let roundTrip = column.maximum else {
            return Segment(String(appearance.glyphs.none), appearance[.faint])
        }
        return Segment(roundTrip.roundTripText, appearance[slow.map { roundTrip > $0 } ?? false ? .degraded : .text])
    }

    /// The figures of the column as styled text: the value of one probe, or the median, maximum and losses of several.
    func values(slow: Duration?, appearance: Appearance) -> [Segment] {
        let (value, count) = (value(slow: slow, appearance: appearance), column.replies + column.losses)
        guard count > 1 else { return [value] }
        let losses = "\(column.losses) of \(count) lost"
        guard let median = column.median else { return [value, Segment(" \(losses)", appearance[.down])] }
        return [Segment("median \(median.roundTripText), max ", appearance[.text]), value]
            + (column.losses > 0 ? [Segment(", ", appearance[.text]), Segment(losses, appearance[.down])] : [])
    }
}
