import ReachMonitoring

/// The vertical scale of a chart. It depends only on the values shown, and clips outliers so that they do not flatten
/// the rest.
struct ChartScale: Sendable, Hashable {
    /// The value at the lower edge: zero, unless all values are far above it.
    let bottom: Duration
    /// The value at the upper edge. Values above are clipped and marked.
    let top: Duration
    /// The distance of the marks, a round figure. The first mark is at the lower edge.
    let step: Duration
    /// The number of lines from one mark to the next; nil if only the edges are marked.
    let linesPerStep: Int?
    /// The longest value that is not clipped.
    let longest: Duration
    /// The lower and the upper edge in nanoseconds, with which thousands of values are compared in each frame.
    private let (lowest, highest): (Int64, Int64)

    /// The least height with marks between the edges, and the least one of a scale that does not start at zero.
    private static let (marked, tall) = (4, 8)

    /// Creates a scale from zero to `top`.
    init(top: Duration) {
        (bottom, self.top, step, linesPerStep, longest) = (.zero, top, top, nil, top)
        (lowest, highest) = (0, top.nanoseconds)
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
    /// The values reach into the upper third of the height. Marks are whole numbers of lines apart, so that each is at
    /// the lower edge of its line. A low chart has marks at its edges, or at the limit if that is exceeded.
    ///
    /// - Parameters:
    ///   - height: the height of the chart in lines.
    ///   - slow: the limit of slow replies; it stays on the scale if it is exceeded.
    ///   - startsAtZero: whether the scale starts at zero in any case.
    init?(_ columns: [ChartColumn], height: Int, slow: Duration? = nil, startsAtZero: Bool = false) {
        // A repeated column is no further probe.
        let own = columns.filter { !$0.isRepeated && $0.replies > 0 }
        let shown = own.isEmpty ? columns : own
        let maxima = shown.compactMap(\.maximumNanoseconds).sorted()
        let medians = shown.compactMap(\.medianNanoseconds).sorted()
        guard let last = maxima.last, let first = medians.first, last > 0 else { return nil }
        let low = Duration.nanoseconds(first)
        let high = Duration.nanoseconds(
            Self.longest(of: maxima, medians: medians, probes: shown.reduce(0) { $0 + $1.replies })
        )
        longest = high
        guard height >= Self.marked else {
            let lines = slow.flatMap { slow in
                slow < high ? (1..<max(1, height)).last { slow * height / $0 >= high } : nil
            }
            if let slow, let lines {
                (bottom, top, step, linesPerStep) = (.zero, slow * height / lines, slow, lines)
                (lowest, highest) = (0, top.nanoseconds)
                return
            }
            let step = Self.step(from: 0, to: high.nanoseconds, height: 3, linesPerStep: 1)
            (bottom, linesPerStep, self.step) = (.zero, nil, .nanoseconds(step))
            top = .nanoseconds((high.nanoseconds + step - 1) / step * step)
            (lowest, highest) = (0, top.nanoseconds)
            return
        }
        // Values that differ by less than a tenth are shown on the upper quarter of the scale from zero.
        let isFar =
            !startsAtZero && height >= Self.tall && low < high && high - low <= low / 10
            && slow.map { high < $0 } ?? true
        let start = isFar ? (high - high / 4).nanoseconds : 0
        let least = max(2, (height + 5) / 6)
        var best: (step: Int64, lines: Int)?
        for lines in least...min(least * 2, height - 1) {
            let step = Self.step(from: start, to: high.nanoseconds, height: height, linesPerStep: lines)
            // The shorter scale fits better.
            if let (other, otherLines) = best, other * Int64(lines) <= step * Int64(otherLines) { continue }
            best = (step, lines)
        }
        guard let (step, lines) = best else { return nil }
        linesPerStep = lines
        self.step = .nanoseconds(step)
        bottom = .nanoseconds(start / step * step)
        top = bottom + self.step * height / lines
        (lowest, highest) = (bottom.nanoseconds, top.nanoseconds)
    }

    /// The mean number of probes in a column from which on the medians set the scale.
    private static let manyProbes = 4

    /// Returns the longest value that is not an outlier. Outliers are the longest twentieth of the columns' maxima, or one of
    /// few, if they are more than twice as long as the rest. So few columns are clipped. Where columns cover several probes, most
    /// have a maximum far above their median: there, the medians alone are the rest.
    ///
    /// - Parameters:
    ///   - maxima: the longest round trip of each column in nanoseconds, in ascending order.
    ///   - medians: the median of each column in nanoseconds, in ascending order.
    ///   - probes: the number of probes in all columns.
    private static func longest(of maxima: [Int64], medians: [Int64], probes: Int) -> Int64 {
        let longest = maxima[maxima.count - 1]
        guard probes >= 4 else { return longest }
        let rest = maxima.dropLast(max(1, maxima.count / 20)).last ?? 0
        let usual = medians.dropLast(max(1, medians.count / 20)).last ?? 0
        let limit = (probes >= medians.count * manyProbes ? usual : max(rest, usual)) * 2
        guard limit > 0, limit < longest else { return longest }
        return max(maxima.last { $0 <= limit } ?? 0, medians.last { $0 <= limit } ?? 0)
    }

    /// Returns the shortest of 1, 2, 2.5 and 5 times a power of ten with which a scale of the height reaches from `start`,
    /// rounded down to the step, up to `end`. All are in nanoseconds.
    private static func step(from start: Int64, to end: Int64, height: Int, linesPerStep: Int) -> Int64 {
        var power: Int64 = 100
        // No step of a lower power of ten is long enough.
        while (end - start) * Int64(linesPerStep) > power * 5 * Int64(height) { power *= 10 }
        while true {
            for step in [power, power * 2, power / 2 * 5, power * 5]
            where (end - start / step * step) * Int64(linesPerStep) <= step * Int64(height) {
                return step
            }
            power *= 10
        }
    }

    /// Rounds up to 1, 1.5, 2, 3, 5 or 7 times a power of ten.
    static func rounded(up value: Duration) -> Duration {
        var power = Duration.microseconds(10)
        while power * 10 <= value { power = power * 10 }
        let steps = [1, 1.5, 2, 3, 5, 7, 10]
        return steps.lazy.map { power * $0 }.first { $0 >= value } ?? power * 10
    }

    /// Returns the level of a value in nanoseconds, from 0 to `count - 1`; nil if it is above the top.
    func level(ofNanoseconds value: Int64, count: Int) -> Int? {
        guard value <= highest else { return nil }
        // A mark is a whole number of levels above the lower edge, but for rounding.
        return max(0, min(count - 1, Int(Double(value - lowest) / Double(highest - lowest) * Double(count) + 1e-6)))
    }

    /// Returns the value at the upper edge of a line, counted from the top.
    func value(atTopOf line: Int, height: Int) -> Duration {
        top - (top - bottom) * (Double(line) / Double(max(1, height)))
    }
}

/// The marks of the vertical axis of a chart: round figures in one unit, and the limit of slow replies.
struct ChartGrid: Sendable {
    /// The marks by line, counted from the top. A mark is at the lower edge of its line; in a low chart, only the edges
    /// are marked.
    let marks: [Int: String]
    /// The marks of the levels by line.
    let levels: [Int: String]
    /// The line that contains the limit of slow replies, and its mark; nil if it is not on the scale, or in the line of
    /// the lower edge.
    let limit: (line: Int, mark: String)?

    /// Creates the marks of a scale on a number of lines.
    ///
    /// - Parameter levels: values whose marks replace those of their lines.
    init(_ scale: ChartScale, height: Int, slow: Duration? = nil, levels: [Duration] = []) {
        let lines = scale.linesPerStep ?? 1
        let largest = scale.linesPerStep == nil ? scale.top : scale.bottom + scale.step * ((height - 1) / lines)
        let axis = RoundTripAxis(top: largest, step: scale.step)
        var marks = [height - 1: axis.text(scale.bottom)]
        if let lines = scale.linesPerStep {
            for part in 1..<(height + lines - 1) / lines {
                marks[height - 1 - part * lines] = axis.text(scale.bottom + scale.step * part)
            }
        } else {
            marks[0] = axis.text(scale.top)
        }
        var own: [Int: String] = [:]
        for value in levels {
            guard let level = scale.level(ofNanoseconds: value.nanoseconds, count: height),
                level > 0 || scale.bottom > .zero
            else { continue }
            own[height - 1 - level] = value.roundTripText
        }
        // A mark beside that of a level would be taken for it.
        marks = marks.filter { line, _ in line == height - 1 || !own.keys.contains { abs($0 - line) <= 1 } }
        self.marks = marks.filter { own[$0.key] == nil }
        self.levels = own
        limit = slow.flatMap { slow in
            guard let level = scale.level(ofNanoseconds: slow.nanoseconds, count: height), level > 0 else { return nil }
            return (height - 1 - level, RoundTripAxis(top: largest, step: slow).text(slow))
        }
    }
}
