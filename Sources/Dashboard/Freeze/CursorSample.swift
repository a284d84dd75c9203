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
            column = past.last.map { $0.isLoss ? .lost : .roundTrip($0.roundTrip ?? .zero) } ?? .blank
        }
        pastState = model.state(of: state, at: time)
        statistics = Statistics(past.suffix(Statistics.window))
    }
}

extension CursorSample {
    /// The column's value as styled text.
    func value(slow: Duration?, appearance: Appearance) -> Segment {
        switch column {
        case .blank: Segment(String(appearance.glyphs.none), appearance[.faint])
        case .lost: Segment(String(appearance.glyphs.loss), appearance[.down])
        case .roundTrip(let roundTrip):
            Segment(roundTrip.roundTripText, appearance[slow.map { roundTrip > $0 } ?? false ? .degraded : .text])
        }
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
