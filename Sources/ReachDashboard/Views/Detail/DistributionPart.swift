import ReachMonitoring
import ReachScreen

/// A histogram of the round trips: a line for each range, shortest first, with the percentiles that it holds. Empty
/// ranges in a row are one.
///
/// ```
/// Distribution of the last 100 ─────────────
/// 100–120ms  ━━━━━━━━━━━━━━━━━━  72  ← p50
/// 120–200ms  0
/// 200–220ms  ━━━━━━━  27  ← p95, p99
///   > 220ms  ━  1
/// ```
struct DistributionPart: DetailPart {
    let context: ViewContext
    let roundTrips: [Duration]
    /// The limit of slow replies.
    let slow: Duration?

    var title: String { "Distribution of the last \(Statistics.window)" }
    private var appearance: Appearance { context.appearance }

    /// The maximum number of lines.
    private static let lines = 10

    func lines(width: Int) -> [[Segment]] {
        guard let bins = Bins(roundTrips, lines: Self.lines) else { return [] }
        let counts = bins.counts + (bins.above == 0 ? [] : [bins.above])
        let ranges = Self.ranges(of: counts)
        let names = names(of: ranges, in: bins)
        let marks = ranges.map { range in
            let percentiles = bins.percentiles.filter { $0.bin == range.lowerBound }.map { "p\($0.percent)" }
            return percentiles.isEmpty ? "" : "  ← \(percentiles.joined(separator: ", "))"
        }
        let most = counts.max() ?? 1
        let nameWidth = names.map(\.displayWidth).max() ?? 0
        let figureWidth = String(most).count + (marks.map(\.displayWidth).max() ?? 0)
        let barWidth = max(1, width - nameWidth - figureWidth - 4)
        return ranges.indices.map { index in
            let first = ranges[index].lowerBound
            let count = counts[first]
            let length = Int((Double(count) / Double(most) * Double(barWidth)).rounded(.up))
            let isSlow = slow.map { bins.start + bins.step * first >= $0 } ?? (first == bins.counts.count)
            return [
                Segment("\(names[index].padded(toColumns: nameWidth, .trailing))  ", appearance[.faint]),
                Segment(String(repeating: appearance.glyphs.bar, count: length), appearance[isSlow ? .degraded : .up]),
                Segment("\(length == 0 ? "" : "  ")\(count)", appearance[count == 0 ? .faint : .text]),
                Segment(marks[index], appearance[.faint]),
            ]
        }
    }

    /// The bins of each line: one, or all empty ones in a row.
    private static func ranges(of counts: [Int]) -> [Range<Int>] {
        counts.indices.reduce(into: []) { ranges, index in
            if index > 0, counts[index] == 0, counts[index - 1] == 0, let last = ranges.popLast() {
                ranges.append(last.lowerBound..<index + 1)
            } else {
                ranges.append(index..<index + 1)
            }
        }
    }

    /// The ranges in words, the unit once for both ends: `1.2–1.5ms`.
    private func names(of ranges: [Range<Int>], in bins: Bins) -> [String] {
        let axis = RoundTripAxis(top: bins.end, step: bins.step)
        func edge(_ bin: Int) -> String { axis.text(bins.start + bins.step * bin) }
        return ranges.map { range in
            let start = edge(range.lowerBound)
            guard range.lowerBound < bins.counts.count else { return "> \(start)" }
            return "\(start.prefix { !$0.isLetter })–\(edge(range.upperBound))"
        }
    }

    /// The bins of a histogram, of equal width, and the number of outliers above them.
    struct Bins {
        let start: Duration
        let step: Duration
        private(set) var counts: [Int]
        private(set) var above = 0
        /// The bin that holds each percentile, by nearest rank; the outliers are one bin after the last.
        private(set) var percentiles: [(percent: Int, bin: Int)] = []

        var end: Duration { start + step * counts.count }

        init?(_ roundTrips: [Duration], lines: Int) {
            let sorted = roundTrips.sorted()
            guard let shortest = sorted.first, let longest = sorted.last else { return nil }
            func percentile(_ percent: Int) -> Duration { sorted[(sorted.count * percent + 99) / 100 - 1] }
            // As in charts, a spike must not flatten the rest.
            let top = min(longest, percentile(95) * 2)
            var step = Self.rounded(up: (top - shortest) / (lines - 1))
            func first(_ step: Duration) -> Duration { step * Int(shortest / step) }
            while first(step) + step * lines <= top { step = Self.rounded(up: step * 1.01) }
            self.step = step
            start = first(step)
            counts = Array(repeating: 0, count: Int((top - start) / step) + 1)
            for roundTrip in sorted {
                let index = bin(of: roundTrip)
                if index < counts.count { counts[index] += 1 } else { above += 1 }
            }
            percentiles = [50, 95, 99].map { ($0, bin(of: percentile($0))) }
        }

        /// The bin of a round trip; the outliers are one bin after the last.
        private func bin(of roundTrip: Duration) -> Int {
            min(counts.count, Int((roundTrip - start) / step))
        }

        /// Rounds up to 1, 2 or 5 times a power of ten, so that the edges of bins are round figures too.
        private static func rounded(up value: Duration) -> Duration {
            var power = Duration.microseconds(1)
            while power * 10 <= value { power = power * 10 }
            return [1, 2, 5].lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
        }
    }
}

/// The phases of the last reply: a line for each, with a bar by its duration.
///
/// ```
/// Phases of the last reply ─────────────────────────────────────
/// connect     ━━  31ms
/// tls         ━━━━  64ms
/// processing  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  771ms
/// ```
struct PhasesPart: DetailPart {
    let context: ViewContext
    let state: TargetState

    let title = "Phases of the last reply"

    /// The columns of a duration and the blanks before it.
    private static let figureWidth = 7

    func lines(width: Int) -> [[Segment]] {
        let appearance = context.appearance
        let phases = state.lastReply?.phases ?? []
        // A single phase equals the round trip, so it is not shown.
        guard phases.count > 1, let longest = phases.map(\.duration).max(), longest > .zero else { return [] }
        let nameWidth = 2 + (phases.map(\.phase.rawValue.displayWidth).max() ?? 0)
        let barWidth = max(1, width - nameWidth - Self.figureWidth)
        return phases.map { time in
            let length = Int((time.duration / longest * Double(barWidth)).rounded(.up))
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
