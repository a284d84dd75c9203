import Monitoring

/// How a chart of a height is divided: into parts whose marks are round figures, all of them equally high.
struct ChartGrid: Sendable, Hashable {
    /// How many lines the chart has: no more than asked for.
    let height: Int
    /// What each line's upper edge stands for, where it has a mark.
    let marks: [Int: String]
    /// What the lower edge of the lowest line stands for.
    let zero = "0"

    init(top: Duration, height: Int) {
        let height = max(1, height)
        // As many parts as leave no more than two lines over.
        let candidates = [7, 5, 4, 3, 2].filter { height >= 2 * $0 && Self.isRound(top / $0) }
        let parts = candidates.first { height % $0 <= 2 } ?? 1
        self.height = height - height % parts
        let axis = RoundTripAxis(top: top, step: top / parts)
        let lines = self.height / parts
        marks = Dictionary(
            uniqueKeysWithValues: (0..<parts).map { ($0 * lines, axis.text(top / parts * (parts - $0))) }
        )
    }

    /// Whether it is 1, 2, 2.5 or 5 times a power of ten, and whole microseconds, which is what a mark can say.
    private static func isRound(_ value: Duration) -> Bool {
        var power = Duration.microseconds(1)
        while power * 10 <= value { power = power * 10 }
        return value.nanoseconds % 1_000 == 0 && [1, 2, 2.5, 5].contains { power * $0 == value }
    }
}
