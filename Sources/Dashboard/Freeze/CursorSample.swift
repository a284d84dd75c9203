import Monitoring

/// A target at the time cursor: the figures beside a chart for the column that the cursor selects.
struct CursorSample: Sendable {
    let time: Duration
    /// What the chosen column shows.
    let column: ChartColumn
    let state: PastState
    /// The figures of the newest probes until the end of the column.
    let statistics: Statistics

    /// Nil when the cursor is not in use.
    init?(of standing: Standing, in model: Model, along axis: TimeAxis) {
        guard let time = model.cursor else { return nil }
        self.time = time
        let index = axis.column(of: time)
        let past = standing.history.before(min(axis.start(ofColumn: index + 1), model.now + .nanoseconds(1)))
        if (0..<axis.count).contains(index) {
            column = ChartColumn.columns(of: standing, along: axis)[index]
        } else {
            // The cursor was moved along a longer chart.
            column = past.last.map { $0.isLoss ? .lost : .roundTrip($0.roundTrip ?? .zero) } ?? .blank
        }
        state = model.state(of: standing, at: time)
        statistics = Statistics(past.suffix(Statistics.window))
    }
}

extension CursorSample {
    /// What the column shows, as a figure.
    func value(slow: Duration?, look: Look) -> Segment {
        switch column {
        case .blank: Segment(String(look.glyphs.none), look[.faint])
        case .lost: Segment(String(look.glyphs.loss), look[.down])
        case .roundTrip(let roundTrip):
            Segment(roundTrip.roundTripText, look[slow.map { roundTrip > $0 } ?? false ? .degraded : .text])
        }
    }

    /// How the target was, as a glyph.
    func glyph(of standing: Standing, glyphs: Glyphs) -> Character {
        switch state {
        case .same: standing.glyph(glyphs)
        case .health(let health, _): glyphs.glyph(of: health)
        case .notKnown: glyphs.unknown
        }
    }

    /// How the target was, as a word.
    func word(of standing: Standing) -> String {
        switch state {
        case .same:
            standing.isPaused
                ? "paused" : (standing.isBlocked ? standing.blockedBy?.summary : nil) ?? standing.health.rawValue
        case .health(let health, _): health.rawValue
        case .notKnown: "not known"
        }
    }

    func role(of standing: Standing) -> Role {
        switch state {
        case .same: standing.role
        case .health(let health, _): health.role
        case .notKnown: .waiting
        }
    }

    /// How long it had been so; nil when that is not known.
    func age(of standing: Standing) -> Duration? {
        switch state {
        case .same: time - standing.since
        case .health(_, let since): time - since
        case .notKnown: nil
        }
    }
}
