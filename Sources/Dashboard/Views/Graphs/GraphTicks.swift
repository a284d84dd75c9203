import Monitoring

/// The ticks of the time axis of graphs, with their labels.
struct GraphTicks: Sendable, Hashable {
    /// A tick and its label.
    struct Tick: Sendable, Hashable {
        /// The index of the character, from the left of the chart.
        let column: Int
        /// The age in a single unit: `30s`, `5m`, `1h`.
        let label: String

        fileprivate init(_ axis: TimeAxis, ago: Duration) {
            column = max(0, axis.cells - Int((ago / (axis.step * axis.columnsPerCell)).rounded()))
            let seconds = ago.components.seconds
            label =
                axis.span <= .seconds(60)
                ? "\(seconds)s" : seconds % 3_600 == 0 ? "\(seconds / 3_600)h" : "\(seconds / 60)m"
        }
    }

    /// The width of a label with the blanks around it.
    private static let room = 12
    /// The distances between ticks, which are round times.
    private static let distances: [Duration] = [10, 15, 20, 30, 60, 300, 600, 900, 1_200, 1_800].map { .seconds($0) }

    /// The ticks between the start of the span and now, oldest first.
    let inner: [Tick]
    /// The tick at the start of the span.
    let first: Tick

    /// Creates the ticks of an axis: as many as their labels have room for.
    init(_ axis: TimeAxis) {
        first = Tick(axis, ago: axis.span)
        let width = axis.cells - first.column
        let distance = Self.distances.first { distance in
            let parts = axis.span / distance
            return parts > 1 && parts == parts.rounded() && Double(width) / parts >= Double(Self.room)
        }
        guard let distance else {
            inner = []
            return
        }
        let parts = Int((axis.span / distance).rounded())
        inner = (1..<parts).map { Tick(axis, ago: distance * (parts - $0)) }
    }
}
