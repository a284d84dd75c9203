import Monitoring

/// The horizontal grid of a chart: parts of equal height whose marks are round figures.
struct ChartGrid: Sendable, Hashable {
    /// The number of lines of the chart: at most the requested height.
    let height: Int
    /// The marks at the upper edges of lines, by line.
    let marks: [Int: String]
    /// The mark at the lower edge of the chart.
    let zero = "0"

    init(top: Duration, height: Int) {
        let height = max(1, height)
        // The most parts that leave at most two lines unused.
        let candidates = [7, 5, 4, 3, 2].filter { height >= 2 * $0 && Self.isRound(top / $0) }
        let parts = candidates.first { height % $0 <= 2 } ?? 1
        self.height = height - height % parts
        let axis = RoundTripAxis(top: top, step: top / parts)
        let lines = self.height / parts
        marks = Dictionary(
            uniqueKeysWithValues: (0..<parts).map { ($0 * lines, axis.text(top / parts * (parts - $0))) }
        )
    }

    /// Whether a value is 1, 2, 2.5 or 5 times a power of ten, and whole microseconds, the precision of a mark.
    private static func isRound(_ value: Duration) -> Bool {
        var power = Duration.microseconds(1)
        while power * 10 <= value { power = power * 10 }
        return value.nanoseconds % 1_000 == 0 && [1, 2, 2.5, 5].contains { power * $0 == value }
    }
}
