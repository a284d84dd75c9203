import Monitoring

/// The value of one column of a chart: the probes of one time range.
enum ChartColumn: Sendable, Hashable {
    /// No probe.
    case blank
    /// A probe was lost.
    case lost
    /// The longest of the round trips.
    case roundTrip(Duration)

    func worse(_ other: Self) -> Self {
        switch (self, other) {
        case (.lost, _), (_, .lost): .lost
        case (.roundTrip(let one), .roundTrip(let two)): .roundTrip(max(one, two))
        case (.blank, _): other
        case (_, .blank): self
        }
    }

    /// Returns a target's columns along an axis, oldest first.
    ///
    /// A column shows the worst of its probes. A column between two probes repeats the last one. A column without
    /// probes is blank.
    static func columns(of state: TargetState, along axis: TimeAxis) -> [ChartColumn] {
        var columns = [ChartColumn](repeating: .blank, count: axis.count)
        // The last outcome is repeated for one interval, plus the maximum delay of a probe.
        let hold = state.target.interval * 1.25 + state.target.timeout
        let end = min(axis.count, axis.column(of: axis.until) + 1)
        var last: (index: Int, time: Duration, column: ChartColumn)?

        func fill(upTo end: Int) {
            guard let last else { return }
            for index in (last.index + 1)..<max(last.index + 1, end) where index >= 0 {
                guard axis.start(ofColumn: index) - last.time < hold else { return }
                columns[index] = last.column
            }
        }
        for sample in state.history.since(axis.start(ofColumn: 0) - hold) {
            let index = min(end - 1, axis.column(of: sample.time))
            fill(upTo: index)
            // A reply without a round trip, such as that of a link, is drawn on the base line.
            let column: ChartColumn = sample.isLoss ? .lost : .roundTrip(sample.roundTrip ?? .zero)
            if index >= 0 { columns[index] = last?.index == index ? columns[index].worse(column) : column }
            last = (index, sample.time, column)
        }
        if state.isProbed { fill(upTo: end) }
        return columns
    }
}
