import Monitoring

/// The vertical scale of a chart. It starts at zero, depends only on the values shown, and clips spikes so that they do
/// not flatten the rest.
struct ChartScale: Sendable, Hashable {
    /// The value at the top of the chart. Values above are clipped and marked.
    let top: Duration

    /// Creates a scale that ends at `top`.
    init(top: Duration) {
        self.top = top
    }

    /// Creates the scale of statistics: 1.5 times the maximum, so that a steady target does not fill the chart, and at
    /// most twice the 95th percentile. The top is a round figure, so that it rarely changes.
    init(_ statistics: Statistics) {
        let longest = statistics.max ?? .milliseconds(1)
        let clip = (statistics.percentile(95) ?? longest) * 2
        top = Self.rounded(up: min(longest * 1.5, clip))
    }

    /// Creates the scale of columns, which may show more probes than a target's statistics cover.
    init(_ columns: [ChartColumn]) {
        let samples = columns.compactMap { column in
            if case .roundTrip(let roundTrip) = column { Sample(time: .zero, roundTrip: roundTrip) } else { nil }
        }
        self.init(Statistics(samples))
    }

    /// Creates the scale of a target's columns along an axis. With few probes in the chart, the target's statistics
    /// decide, so that one spike among six probes does not set the scale.
    init(_ state: TargetState, showing columns: [ChartColumn], along axis: TimeAxis) {
        let count = state.history.since(axis.start(ofColumn: 0)).count
        if count > Statistics.window { self.init(columns) } else { self.init(state.statistics) }
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
        return min(count - 1, Int(value / top * Double(count)))
    }
}
