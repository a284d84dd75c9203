import Monitoring

/// Where the time axis of charts has its marks, and what they say.
struct GraphTicks: Sendable, Hashable {
    struct Tick: Sendable, Hashable {
        /// The character of the chart, from its left.
        let column: Int
        /// How long ago in one unit: `30s`, `5m`, `1h`.
        let label: String

        init(column: Int, ago: Duration, in span: Duration) {
            self.column = column
            let seconds = ago.components.seconds
            label =
                span <= .seconds(60)
                ? "\(seconds)s" : seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds / 60)m"
        }
    }

    /// The characters that a label and the blanks around it take.
    private static let room = 12
    /// What is read without counting.
    private static let distances: [Duration] = [10, 15, 20, 30, 60, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }

    /// The marks between the beginning and now, oldest first.
    let inner: [Tick]
    /// The beginning.
    let first: Tick

    /// The marks of so much time on so many characters: as many as their labels have room for.
    init(span: Duration, width: Int) {
        first = Tick(column: 0, ago: span, in: span)
        let distance = Self.distances.first { distance in
            let parts = span / distance
            return parts > 1 && parts == parts.rounded() && Double(width) / parts >= Double(Self.room)
        }
        guard let distance else {
            inner = []
            return
        }
        let parts = Int((span / distance).rounded())
        inner = (1..<parts).map { Tick(column: width * $0 / parts, ago: distance * (parts - $0), in: span) }
    }
}
