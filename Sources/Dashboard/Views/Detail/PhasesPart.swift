import Monitoring
import Screen

/// Where the time of the last reply went: a bar, and what its shades mean.
///
/// ```
/// Phases of the last reply ─────────────────────────────────────
/// ░▒▒▓▓▓█████████████████████████████████████████████████████▚▚▚
/// ░ resolve 3.0ms   ▒ connect 31ms   ▓ tls 64ms   █ processing 771ms   ▚ transfer 43ms
/// ```
struct PhasesPart: DetailPart {
    let model: Model
    let standing: Standing

    let title = "Phases of the last reply"

    func lines(width: Int) -> [[Segment]] {
        let look = model.look
        let phases = standing.lastReply?.phases ?? []
        // One phase is the round trip, and no news.
        guard phases.count > 1, width > 0 else { return [] }
        let columns = Self.shares(of: phases.map(\.duration), columns: width)
        let bar = zip(phases, columns).map { time, count in
            Segment(
                String(repeating: look.glyphs.shade(of: time.phase), count: count),
                look.theme.style(of: time.phase)
            )
        }
        let legend = phases.map { time in
            [
                Segment("\(look.glyphs.shade(of: time.phase)) ", look.theme.style(of: time.phase)),
                Segment("\(time.phase.rawValue) ", look[.text]),
                Segment(time.duration.roundTripText, look[.faint]),
            ]
        }
        return [bar] + legend.flowing(width: width)
    }

    /// Divides columns by durations. What took any time at all has a column, if there are enough.
    static func shares(of durations: [Duration], columns: Int) -> [Int] {
        let sum = durations.reduce(.zero, +)
        guard sum > .zero, columns > 0 else { return durations.map { _ in 0 } }
        var shares = durations.map { $0 > .zero ? max(1, Int($0 / sum * Double(columns))) : 0 }
        // What rounding has left, or taken too much, is the longest one's.
        let longest = durations.indices.max { durations[$0] < durations[$1] } ?? 0
        shares[longest] = max(0, shares[longest] + columns - shares.reduce(0, +))
        return shares
    }
}
