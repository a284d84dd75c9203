import Monitoring

/// The one decision about the scale of a chart: zero-based, fixed to what was shown, and so that a spike does not
/// flatten the rest.
struct ChartScale: Sendable, Hashable {
    /// The value at the top of the chart. What is above is clipped, and marked.
    let top: Duration

    /// A scale that ends at `top`.
    init(top: Duration) {
        self.top = top
    }

    /// Half as much again as was seen, so that a steady target is calm and not a wall, and no more than twice the 95th
    /// percentile; the top is a round figure, so that it seldom moves.
    init(_ statistics: Statistics) {
        let longest = statistics.max ?? .milliseconds(1)
        let clip = (statistics.percentile(95) ?? longest) * 2
        top = Self.rounded(up: min(longest * 1.5, clip))
    }

    /// The scale of columns that show more probes than a row's figures cover.
    init(_ columns: [ChartColumn]) {
        let samples = columns.compactMap { column in
            if case .roundTrip(let roundTrip) = column { Sample(time: .zero, roundTrip: roundTrip) } else { nil }
        }
        self.init(Statistics(samples))
    }

    /// The scale of what an axis shows of a target. Few probes in the chart are judged by those before them too, or one
    /// spike among six would rule.
    init(_ standing: Standing, showing columns: [ChartColumn], along axis: TimeAxis) {
        let count = standing.history.since(axis.start(ofColumn: 0)).count
        if count > Statistics.window { self.init(columns) } else { self.init(standing.statistics) }
    }

    /// The next 1, 1.5, 2, 3, 5 or 7 times a power of ten.
    static func rounded(up value: Duration) -> Duration {
        var power = Duration.microseconds(10)
        while power * 10 <= value { power = power * 10 }
        let steps = [1, 1.5, 2, 3, 5, 7, 10]
        return steps.lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
    }

    /// Which of `count` levels a value reaches, from 0; nil when it is above the top.
    func level(of value: Duration, count: Int) -> Int? {
        guard value <= top else { return nil }
        return min(count - 1, Int(value / top * Double(count)))
    }
}
