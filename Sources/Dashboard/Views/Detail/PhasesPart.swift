import Monitoring
import Screen

/// The phases of the last reply: a line for each, with a bar by its duration.
///
/// ```
/// Phases of the last reply ─────────────────────────────────────
/// connect     ━━  31ms
/// tls         ━━━━  64ms
/// processing  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  771ms
/// ```
struct PhasesPart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Phases of the last reply"

    /// The columns of a duration and the blanks before it.
    private static let figureWidth = 7

    func lines(width: Int) -> [[Segment]] {
        let appearance = model.appearance
        let phases = state.lastReply?.phases ?? []
        // A single phase equals the round trip, so it is not shown.
        guard phases.count > 1, let longest = phases.map(\.duration).max(), longest > .zero else { return [] }
        let nameWidth = 2 + (phases.map(\.phase.rawValue.displayWidth).max() ?? 0)
        let room = max(1, width - nameWidth - Self.figureWidth)
        return phases.map { time in
            let length = Int((time.duration / longest * Double(room)).rounded(.up))
            return [
                Segment(time.phase.rawValue.padded(toColumns: nameWidth), appearance[.faint]),
                Segment(
                    String(repeating: appearance.glyphs.bar, count: length),
                    appearance.theme.style(of: time.phase)
                ),
                Segment("\(length == 0 ? "" : "  ")\(time.duration.roundTripText)", appearance[.text]),
            ]
        }
    }
}
