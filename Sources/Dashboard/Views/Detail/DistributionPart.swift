import Monitoring
import Screen

/// A histogram of the round trips: a line for each bin, shortest first.
///
/// ```
/// Distribution of the last 100 ─────────────
///  100ms  ████████████████████████████  42
///  120ms  ██████▌                       9
/// >200ms  █                             1
/// ```
struct DistributionPart: DetailPart {
    let model: Model
    let roundTrips: [Duration]

    var title: String { "Distribution of the last \(Statistics.window)" }
    private var appearance: Appearance { model.appearance }

    /// The maximum number of lines.
    private static let lines = 10

    func lines(width: Int) -> [[Segment]] {
        guard let bins = Bins(roundTrips, lines: Self.lines) else { return [] }
        let most = bins.counts.max() ?? 1
        let axis = RoundTripAxis(top: bins.end, step: bins.step)
        let names = bins.counts.indices.map { axis.text(bins.start + bins.step * $0) }
        let above = bins.above == 0 ? [] : ["> \(axis.text(bins.end))"]
        let nameWidth = (names + above).map(\.displayWidth).max() ?? 0
        let figureWidth = String(roundTrips.count).count
        let room = max(1, width - nameWidth - figureWidth - 4)
        return zip(names + above, bins.counts + (above.isEmpty ? [] : [bins.above])).map { name, count in
            let length = Int((Double(count) / Double(max(most, bins.above)) * Double(room)).rounded(.up))
            return [
                Segment("\(name.padded(toColumns: nameWidth, .trailing))  ", appearance[.faint]),
                Segment(String(repeating: bar, count: length), appearance[name.hasPrefix(">") ? .degraded : .up]),
                Segment("\(length == 0 ? "" : "  ")\(count)", appearance[count == 0 ? .faint : .text]),
            ]
        }
    }

    private var bar: Character { appearance.glyphs.levels.last ?? "#" }

    /// The bins of a histogram, of equal width, and the number of outliers above them.
    struct Bins {
        let start: Duration
        let step: Duration
        private(set) var counts: [Int]
        private(set) var above = 0

        var end: Duration { start + step * counts.count }

        init?(_ roundTrips: [Duration], lines: Int) {
            let sorted = roundTrips.sorted()
            guard let shortest = sorted.first, let longest = sorted.last else { return nil }
            // As in charts, a spike must not flatten the rest.
            let clip = sorted[(sorted.count * 95 + 99) / 100 - 1] * 2
            let top = min(longest, clip)
            var step = Self.rounded(up: (top - shortest) / (lines - 1))
            func first(_ step: Duration) -> Duration { step * Int(shortest / step) }
            while first(step) + step * lines <= top { step = Self.rounded(up: step * 1.01) }
            self.step = step
            start = first(step)
            counts = Array(repeating: 0, count: Int((top - start) / step) + 1)
            for roundTrip in sorted {
                let index = Int((roundTrip - start) / step)
                if index < counts.count { counts[index] += 1 } else { above += 1 }
            }
        }

        /// Rounds up to 1, 2 or 5 times a power of ten, so that the edges of bins are round figures too.
        private static func rounded(up value: Duration) -> Duration {
            var power = Duration.microseconds(10)
            while power * 10 <= value { power = power * 10 }
            return [1, 2, 5].lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
        }
    }
}
