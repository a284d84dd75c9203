import Monitoring
import Screen

/// A one-line chart of the last round trips, newest on the right.
struct Sparkline: Sendable, Hashable {
    let columns: [ChartColumn]

    init(_ state: TargetState, along axis: TimeAxis) {
        columns = ChartColumn.columns(of: state, along: axis)
    }

    /// Returns the columns as styled text, on the scale of the target's statistics. A column shows its longest round
    /// trip, narrower and in the colour of losses if some probes were lost, or that all were lost.
    func segments(slow: Duration?, _ statistics: Statistics, appearance: Appearance) -> [Segment] {
        let scale = ChartScale(statistics)
        let (glyphs, slow) = (appearance.glyphs, slow?.nanoseconds ?? .max)
        let cells = columns.map { column -> (character: Character, role: Role?) in
            let loss = column.loss.flatMap(Role.init(loss:))
            guard let roundTrip = column.maximumNanoseconds else { return (loss == nil ? " " : glyphs.loss, loss) }
            if let loss {
                let count = glyphs.partLosses.count
                return (glyphs.partLosses[scale.level(ofNanoseconds: roundTrip, count: count) ?? count - 1], loss)
            }
            guard let level = scale.level(ofNanoseconds: roundTrip, count: glyphs.levels.count) else {
                return (glyphs.clipped, .degraded)
            }
            return (glyphs.levels[level], roundTrip > slow ? .degraded : .up)
        }
        return cells.chunked(by: \.role).map { role, cells in
            Segment(String(cells.map(\.character)), role.map { appearance[$0] } ?? .plain)
        }
    }
}
