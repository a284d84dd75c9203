import Monitoring

/// The vertical scale of a chart. It depends only on the values shown, and clips outliers so that they do not flatten
/// the rest.
struct ChartScale: Sendable, Hashable {
    /// The value at the lower edge: zero, unless all values are far above it.
    let bottom: Duration
    /// The value at the upper edge. Values above are clipped and marked.
    let top: Duration
    /// The distance of the marks, a round figure. The edges are multiples of it.
    let step: Duration

    /// Creates a scale from zero to `top`.
    init(top: Duration) {
        (bottom, self.top, step) = (.zero, top, top)
    }

    /// Creates the scale of a sparkline from statistics: 1.5 times the maximum, so that a steady target does not fill
    /// the row, and at most twice the 95th percentile. The top is a round figure, so that it rarely changes.
    init(_ statistics: Statistics) {
        let longest = statistics.max ?? .milliseconds(1)
        let clip = (statistics.percentile(95) ?? longest) * 2
        self.init(top: Self.rounded(up: min(longest * 1.5, clip)))
    }

    /// Creates the scale that fits the columns of a chart; nil if there is no round trip to show.
    ///
    /// The values reach into the upper third of the height, or into its upper half if the scale does not start at zero.
    ///
    /// - Parameter height: the height of the chart in lines; a mark takes two.
    init?(_ columns: [ChartColumn], height: Int) {
        // A repeated column is no further probe.
        let own = columns.filter { !$0.isRepeated && $0.replies > 0 }
        let shown = own.isEmpty ? columns : own
        let (maxima, medians) = (shown.compactMap(\.maximum).sorted(), shown.compactMap(\.median).sorted())
        guard let longest = maxima.last, let low = medians.first, longest > .zero else { return nil }
        let high = Self.highest(of: maxima, medians: medians, probes: shown.reduce(0) { $0 + $1.replies })
        // Values that differ by less than a fifth are shown on a quarter of the scale from zero.
        let isFar = high - low <= low / 5
        let start = isFar ? max(.zero, high - max((high - low) * 1.5, high / 4)) : .zero
        step = Self.step(from: start, to: high, parts: max(3, min(6, (height - 1) / 2)))
        bottom = step * Int((start / step).rounded(.down))
        top = step * Int((high / step).rounded(.up))
    }

    /// Returns the longest value that is not an outlier. Outliers are the longest twentieth of the probes, or one of few,
    /// if they are more than twice as long as the rest.
    ///
    /// - Parameters:
    ///   - maxima: the longest round trip of each column, in ascending order.
    ///   - medians: the median of each column, in ascending order.
    ///   - probes: the number of probes in all columns.
    private static func highest(of maxima: [Duration], medians: [Duration], probes: Int) -> Duration {
        let longest = maxima[maxima.count - 1]
        guard probes >= 4 else { return longest }
        let rest = maxima.dropLast(max(1, probes / 20)).last ?? .zero
        let limit = max(rest, medians.dropLast(max(1, medians.count / 20)).last ?? .zero) * 2
        guard limit > .zero, limit < longest else { return longest }
        return max(maxima.last { $0 <= limit } ?? .zero, medians.last { $0 <= limit } ?? .zero)
    }

    /// Returns the shortest of 1, 2, 2.5 and 5 times a power of ten that divides the range into at most `parts` parts.
    private static func step(from start: Duration, to end: Duration, parts: Int) -> Duration {
        var power = Duration.nanoseconds(100)
        while true {
            for factor in [1, 2, 2.5, 5] {
                let step = power * factor
                if (end / step).rounded(.up) - (start / step).rounded(.down) <= Double(parts) { return step }
            }
            power = power * 10
        }
    }

    /// Rounds up to 1, 1.5, 2, 3, 5 or 7 times a power of ten.
    static func rounded(up value: Duration) -> Duration {
        var power = Duration.microseconds(10)
        while power * 10 <= value { power = power * 10 }
        let steps = [1, 1.5, 2, 3, 5, 7, 10]
        return steps.lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
    }

    /// Returns the level of a value, from 0 to `count - 1`; nil if it is above the top.
    func level(of value: Duration, count: Int) -> Int? {
        guard value <= top else { return nil }
        return max(0, min(count - 1, Int((value - bottom) / (top - bottom) * Double(count))))
    }

    /// Returns the value at the middle of a level.
    func value(ofLevel level: Int, count: Int) -> Duration {
        bottom + (top - bottom) * ((Double(level) + 0.5) / Double(max(1, count)))
    }
}
