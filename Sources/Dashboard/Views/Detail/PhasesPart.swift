import Monitoring
import Screen

/// The phases of the last reply: a stacked bar, and its legend.
///
/// ```
/// Phases of the last reply ─────────────────────────────────────
/// ░▒▒▓▓▓█████████████████████████████████████████████████████▚▚▚
/// ░ resolve 3.0ms   ▒ connect 31ms   ▓ tls 64ms   █ processing 771ms   ▚ transfer 43ms
/// ```
struct PhasesPart: DetailPart {
    let model: Model
    let state: TargetState

    let title = "Phases of the last reply"

    func lines(width: Int) -> [[Segment]] {
        let appearance = model.appearance
        let phases = state.lastReply?.phases ?? []
        // A single phase equals the round trip, so it is not shown.
        guard phases.count > 1, width > 0 else { return [] }
        let columns = Self.shares(of: phases.map(\.duration), columns: width)
        let bar = zip(phases, columns).map { time, count in
            Segment(
                String(repeating: appearance.glyphs.shade(of: time.phase), count: count),
                appearance.theme.style(of: time.phase)
            )
        }
        let legend = phases.map { time in
            [
                Segment("\(appearance.glyphs.shade(of: time.phase)) ", appearance.theme.style(of: time.phase)),
                Segment("\(time.phase.rawValue) ", appearance[.text]),
                Segment(time.duration.roundTripText, appearance[.faint]),
            ]
        }
        return [bar] + legend.flowing(width: width)
    }

    /// Divides columns in proportion to durations. Each duration above zero has at least one column, if there are
    /// enough.
    static func shares(of durations: [Duration], columns: Int) -> [Int] {
        let sum = durations.reduce(.zero, +)
        guard sum > .zero, columns > 0 else { return durations.map { _ in 0 } }
        var shares = durations.map { $0 > .zero ? max(1, Int($0 / sum * Double(columns))) : 0 }
        // The longest duration absorbs the rounding error.
        let longest = durations.indices.max { durations[$0] < durations[$1] } ?? 0
        shares[longest] = max(0, shares[longest] + columns - shares.reduce(0, +))
        return shares
    }
}
