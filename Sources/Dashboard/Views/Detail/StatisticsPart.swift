import Monitoring
import Screen

/// The figures: of the newest probes, and of all since the start. A percentile needs every round trip at hand, so there is
/// none of all.
///
/// ```
/// Statistics ───────────────────
///              last 100    in all
/// sent              100      1234
/// p90             904ms         –
/// ```
struct StatisticsPart: DetailPart {
    let model: Model
    let standing: Standing
    /// The figures of the newest probes.
    let statistics: Statistics

    /// The columns that it takes at the most.
    static let width = 34

    let title = "Statistics"
    private var look: Look { model.look }

    func lines(width: Int) -> [[Segment]] {
        let totals = standing.totals
        let all = totals.roundTrips
        let heading = row("", "last \(Statistics.window)", "in all", role: .faint)
        let counts = [
            row("sent", "\(statistics.sent)", "\(totals.sent)"),
            row("received", "\(statistics.received)", "\(totals.received)"),
            row("loss", statistics.loss?.percentText, totals.loss?.percentText, isWarning: statistics.loss ?? 0 > 0),
        ]
        let oddities =
            totals.late + totals.duplicate == 0
            ? [] : [row("late", "", "\(totals.late)"), row("duplicate", "", "\(totals.duplicate)")]
        let faults = totals.faults == 0 ? [] : [row("not asked", "", "\(totals.faults)")]
        let roundTrips = [
            row("last", text(statistics.last), "", isWarning: isSlow(statistics.last)),
            row("min", text(statistics.min), text(all.min)),
            row("mean", text(statistics.mean), text(all.mean)),
            row("max", text(statistics.max), text(all.max)),
            row("deviation", text(statistics.deviation), text(all.deviation)),
            row("p50", text(statistics.percentile(50)), nil),
            row("p90", text(statistics.percentile(90)), nil),
            row("p99", text(statistics.percentile(99)), nil),
            row("jitter", text(statistics.jitter), text(all.jitter)),
        ]
        // Where nothing travels there is nothing to measure.
        let measured = all.count == 0 && statistics.max == nil && standing.target.question.method.isLocal
        return [heading] + counts + oddities + faults + (measured ? [] : roundTrips) + [streak, availability] + outages
    }

    private func isSlow(_ roundTrip: Duration?) -> Bool {
        guard let roundTrip, let limit = standing.target.thresholds.slow else { return false }
        return roundTrip > limit
    }

    private func text(_ duration: Duration?) -> String? {
        duration?.roundTripText
    }

    /// A figure of the window and one of all; nil stands where there is none yet.
    private func row(
        _ name: String,
        _ window: String?,
        _ all: String?,
        role: Role = .text,
        isWarning: Bool = false
    ) -> [Segment] {
        let none = String(look.glyphs.none)
        return .field(
            name,
            [
                Segment((window ?? none).padded(toColumns: 8, .trailing), look[isWarning ? .degraded : role]),
                Segment((all ?? none).padded(toColumns: 10, .trailing), look[role]),
            ],
            look: look
        )
    }

    private var streak: [Segment] {
        let words: String =
            switch standing.judge.streak {
            case .none: String(look.glyphs.none)
            case .replies(let count): "\(count) \(count == 1 ? "reply" : "replies")"
            case .losses(let count, _): "\(count) \(count == 1 ? "loss" : "losses")"
            }
        return .field("streak", [Segment(words, look[.text])], look: look)
    }

    private var availability: [Segment] {
        guard let share = standing.availability(at: model.now) else {
            return .field("available", [Segment(String(look.glyphs.none), look[.faint])], look: look)
        }
        // Two decimals, and never rounded to what it is not.
        let hundredths = Int((share * 10_000).rounded(share < 1 ? .down : .toNearestOrEven))
        let fraction = hundredths % 100 < 10 ? "0\(hundredths % 100)" : "\(hundredths % 100)"
        return .field("available", [Segment("\(hundredths / 100).\(fraction)%", look[.text])], look: look)
    }

    private var outages: [[Segment]] {
        let totals = standing.totals
        let role: Role = totals.outages == 0 ? .faint : .text
        let count: [Segment] = .field("outages", [Segment("\(totals.outages)", look[role])], look: look)
        guard let mean = totals.meanTimeToRecover else { return [count] }
        return [
            count, .field("longest", [Segment(totals.longestOutage.spanText, look[.text])], look: look),
            .field("recovery", [Segment("\(mean.spanText) in the mean", look[.text])], look: look),
        ]
    }
}
