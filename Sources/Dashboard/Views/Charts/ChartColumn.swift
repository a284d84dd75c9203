import Monitoring

/// What a chart shows of one stretch of time.
enum ChartColumn: Sendable, Hashable {
    /// Nobody asked.
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

    /// What is known of a target along an axis, oldest first. A column shows the worst of its probes; between two
    /// probes the last one stands. Where nobody asked, it is blank.
    static func columns(of standing: Standing, along axis: TimeAxis) -> [ChartColumn] {
        var columns = [ChartColumn](repeating: .blank, count: axis.count)
        // One interval and what a probe may be late: until then the last outcome stands.
        let hold = standing.target.interval * 1.25 + standing.target.timeout
        let end = min(axis.count, axis.column(of: axis.until) + 1)
        var last: (index: Int, time: Duration, column: ChartColumn)?

        func fill(upTo end: Int) {
            guard let last else { return }
            for index in (last.index + 1)..<max(last.index + 1, end) where index >= 0 {
                guard axis.start(ofColumn: index) - last.time < hold else { return }
                columns[index] = last.column
            }
        }
        for sample in standing.history.since(axis.start(ofColumn: 0) - hold) {
            let index = min(end - 1, axis.column(of: sample.time))
            fill(upTo: index)
            // An answer for which nothing travelled stands on the ground line.
            let column: ChartColumn = sample.isLoss ? .lost : .roundTrip(sample.roundTrip ?? .zero)
            if index >= 0 { columns[index] = last?.index == index ? columns[index].worse(column) : column }
            last = (index, sample.time, column)
        }
        if standing.isAsked { fill(upTo: end) }
        return columns
    }
}
