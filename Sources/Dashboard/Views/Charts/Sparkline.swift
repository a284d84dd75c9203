import Monitoring
import Screen

/// The round trips of the last minute in one line, newest right, one column per stretch of time.
struct Sparkline: Sendable, Hashable {
    /// The time that all columns cover.
    static let span = Duration.seconds(60)
    /// The widths that divide the span into whole seconds.
    static let widths = [12, 20, 30, 60]

    let columns: [ChartColumn]

    init(_ standing: Standing, now: Duration, width: Int) {
        columns = ChartColumn.columns(of: standing, along: TimeAxis(Self.span, until: now, cells: width))
    }

    /// The columns as styled characters.
    func segments(_ standing: Standing, look: Look) -> [Segment] {
        let scale = ChartScale(standing.statistics)
        let slow = standing.target.thresholds.slow
        let glyphs = look.glyphs
        return columns.map { column in
            switch column {
            case .blank:
                Segment(" ", .plain)
            case .lost:
                Segment(String(glyphs.loss), look[.down])
            case .roundTrip(let roundTrip):
                if let level = scale.level(of: roundTrip, count: glyphs.levels.count) {
                    Segment(String(glyphs.levels[level]), look[slow.map { roundTrip > $0 } ?? false ? .degraded : .up])
                } else {
                    Segment(String(glyphs.clipped), look[.degraded])
                }
            }
        }
    }
}
