import Monitoring
import Screen

/// The statistics of the newest probes, and of all probes since the start. If the width suffices, the round trips are
/// beside the counts.
///
/// ```
/// Statistics ───────────────────
///              last 100     total
/// sent              100      1234
/// p90             904ms     871ms
/// ```
struct StatisticsPart: DetailPart {
    let model: Model
    let state: TargetState
    /// The statistics of the newest probes.
    let statistics: Statistics

    /// The maximum width of a column.
    static let width = 34
    /// The number of blanks between two columns.
    private static let gutter = 4

    let title = "Statistics"
    private var appearance: Appearance { model.appearance }

    func lines(width: Int) -> [[Segment]] {
        let totals = state.totals
        let all = totals.roundTrips
        let heading = row("", "last \(Statistics.window)", "total", role: .faint)
        let counts = [
            row("sent", "\(statistics.sent)", "\(totals.sent)"),
            row("received", "\(statistics.received)", "\(totals.received)"),
            row("loss", statistics.loss?.percentText, totals.loss?.percentText, isWarning: statistics.loss ?? 0 > 0),
        ]
        let anomalies =
            totals.late + totals.duplicate == 0
            ? [] : [row("late", "", "\(totals.late)"), row("duplicate", "", "\(totals.duplicate)")]
        let faults = totals.faults == 0 ? [] : [row("faults", "", "\(totals.faults)")]
        let roundTrips = [
            row("last", text(statistics.last), "", isWarning: isSlow(statistics.last)),
            row("min", text(statistics.min), text(all.min)),
            row("mean", text(statistics.mean), text(all.mean)),
            row("max", text(statistics.max), text(all.max)),
            row("deviation", text(statistics.deviation), text(all.deviation)),
            row("p50", text(statistics.percentile(50)), text(all.percentile(50))),
            row("p90", text(statistics.percentile(90)), text(all.percentile(90))),
            row("p99", text(statistics.percentile(99)), text(all.percentile(99))),
            row("jitter", text(statistics.jitter), text(all.jitter)),
        ]
        // Local methods, such as links, have no round trips.
        let hasNoRoundTrips = all.count == 0 && statistics.max == nil && state.target.question.method.isLocal
        let probes = [heading] + counts + anomalies + faults
        let times = [streak, availability] + outages
        if hasNoRoundTrips { return probes + times }
        let isWide = width >= Self.width * 2 + Self.gutter
        return isWide ? Self.beside(probes + times, [heading] + roundTrips) : probes + roundTrips + times
    }

    /// Joins two columns of lines.
    private static func beside(_ left: [[Segment]], _ right: [[Segment]]) -> [[Segment]] {
        (0..<max(left.count, right.count)).map { index in
            let line = index < left.count ? left[index] : []
            guard index < right.count else { return line }
            let missing = max(0, width + gutter - line.displayWidth)
            return line + [Segment(String(repeating: " ", count: missing), .plain)] + right[index]
        }
    }

    private func isSlow(_ roundTrip: Duration?) -> Bool {
        guard let roundTrip, let limit = state.target.thresholds.slow else { return false }
        return roundTrip > limit
    }

    private func text(_ duration: Duration?) -> String? {
        duration?.roundTripText
    }

    /// A row with a figure of the newest probes and one of all; nil is a missing figure.
    private func row(
        _ name: String,
        _ window: String?,
        _ all: String?,
        role: Role = .text,
        isWarning: Bool = false
    ) -> [Segment] {
        let none = String(appearance.glyphs.none)
        return .field(
            name,
            [
                Segment((window ?? none).padded(toColumns: 8, .trailing), appearance[isWarning ? .degraded : role]),
                Segment((all ?? none).padded(toColumns: 10, .trailing), appearance[role]),
            ],
            appearance: appearance
        )
    }

    private var streak: [Segment] {
        let text: String =
            switch state.judge.streak {
            case .none: String(appearance.glyphs.none)
            case .replies(let count): "\(count) \(count == 1 ? "reply" : "replies")"
            case .losses(let count, _): "\(count) \(count == 1 ? "loss" : "losses")"
            }
        return .field("streak", [Segment(text, appearance[.text])], appearance: appearance)
    }

    private var availability: [Segment] {
        guard let share = state.availability(at: model.now) else {
            return .field(
                "available",
                [Segment(String(appearance.glyphs.none), appearance[.faint])],
                appearance: appearance
            )
        }
        // Two decimal places, rounded down so that 100.00% means no outage.
        let hundredths = Int((share * 10_000).rounded(share < 1 ? .down : .toNearestOrEven))
        let fraction = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
        return .field(
            "available",
            [Segment("\(hundredths / 100).\(fraction)%", appearance[.text])],
            appearance: appearance
        )
    }

    private var outages: [[Segment]] {
        let totals = state.totals
        let role: Role = totals.outages == 0 ? .faint : .text
        let count: [Segment] = .field(
            "outages",
            [Segment("\(totals.outages)", appearance[role])],
            appearance: appearance
        )
        guard let mean = totals.meanTimeToRecover else { return [count] }
        return [
            count,
            .field("longest", [Segment(totals.longestOutage.outageText, appearance[.text])], appearance: appearance),
            .field("recovery", [Segment("mean \(mean.outageText)", appearance[.text])], appearance: appearance),
        ]
    }
}
