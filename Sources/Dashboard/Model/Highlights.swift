import Monitoring

/// The figures that are highlighted because their text has just changed.
struct Highlights: Sendable {
    /// How long a figure is highlighted: long enough to see, and less than the usual interval.
    static let duration = Duration.milliseconds(500)

    /// A highlighted figure.
    private struct Figure: Hashable {
        let target: Target.ID
        let column: TableColumn
    }

    private var ends: [Figure: Duration] = [:]

    /// When the next highlight ends; nil if there is none.
    private(set) var nextEnd: Duration?

    /// Whether a figure is highlighted.
    func contains(_ column: TableColumn, of target: Target.ID) -> Bool {
        !ends.isEmpty && ends[Figure(target: target, column: column)] != nil
    }

    /// Highlights the figures of a target whose texts differ.
    mutating func compare(_ old: Statistics, with new: Statistics, of target: Target.ID, at now: Duration) {
        for column in [TableColumn.last, .p95, .loss]
        where column.text(of: old) != nil && column.text(of: old) != column.text(of: new) {
            let end = now + Self.duration
            ends[Figure(target: target, column: column)] = end
            nextEnd = min(nextEnd ?? end, end)
        }
    }

    /// Removes the highlights that end.
    ///
    /// - Returns: Their targets.
    mutating func removeEnded(at now: Duration) -> Set<Target.ID> {
        guard let nextEnd, nextEnd <= now else { return [] }
        let ended = ends.filter { $0.value <= now }
        for figure in ended.keys { ends[figure] = nil }
        self.nextEnd = ends.values.min()
        return Set(ended.keys.map(\.target))
    }

    mutating func removeAll() {
        ends = [:]
        nextEnd = nil
    }
}

extension TableColumn {
    /// The text of a figure that may be highlighted; nil for a missing one.
    fileprivate func text(of statistics: Statistics) -> String? {
        switch self {
        case .last: statistics.last?.roundTripText
        case .p95: statistics.percentile(95)?.roundTripText
        case .loss: statistics.loss?.percentText
        default: nil
        }
    }
}
