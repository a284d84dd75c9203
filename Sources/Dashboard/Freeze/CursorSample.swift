import Monitoring

/// A target at the time cursor: the figures for the chart column that the cursor selects.
struct CursorSample: Sendable {
    let time: Duration
    /// The value of the selected column.
    let column: ChartColumn
    let pastState: PastState
    /// The statistics of the last probes up to the end of the column.
    let statistics: Statistics

    /// Creates the sample at the time cursor; nil without a cursor.
    init?(of state: TargetState, in model: Model, along axis: TimeAxis) {
        guard let time = model.cursor else { return nil }
        self.time = time
        let index = axis.column(of: time)
        let past = state.history.before(min(axis.start(ofColumn: index + 1), model.now + .nanoseconds(1)))
        if (0..<axis.count).contains(index) {
            column = ChartColumn.columns(of: state, along: axis)[index]
        } else {
            // The cursor was placed on a longer chart and lies outside this one.
            column = past.last.map { ChartColumn($0) } ?? .blank
        }
        pastState = model.state(of: state, at: time)
        statistics = Statistics(past.suffix(Statistics.window))
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

    /// The glyph of the health at the cursor.
    func glyph(of state: TargetState, glyphs: Glyphs) -> Character {
        switch pastState {
        case .unchanged: state.glyph(glyphs)
        case .health(let health, _): glyphs.glyph(of: health)
        case .unknown: glyphs.unknown
        }
    }

    /// The name of the health at the cursor.
    func healthName(of state: TargetState) -> String {
        switch pastState {
        case .unchanged:
            state.isPaused
                ? "paused" : (state.isBlocked ? state.blockedBy?.summary : nil) ?? state.health.rawValue
        case .health(let health, _): health.rawValue
        case .unknown: "unknown"
        }
    }

    func role(of state: TargetState) -> Role {
        switch pastState {
        case .unchanged: state.role
        case .health(let health, _): health.role
        case .unknown: .waiting
        }
    }

    /// How long the target had had that health; nil if unknown.
    func age(of state: TargetState) -> Duration? {
        switch pastState {
        case .unchanged: time - state.since
        case .health(_, let since): time - since
        case .unknown: nil
        }
    }
}
