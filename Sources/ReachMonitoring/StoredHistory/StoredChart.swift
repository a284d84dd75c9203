import ReachBasics

/// The columns of a chart.
public struct ChartPeriod: Sendable, Hashable {
    /// When the first column begins, since 1970.
    package let start: Duration
    /// The time of a column.
    package let step: Duration
    /// The number of columns.
    package let count: Int

    package init(from start: Duration, step: Duration, count: Int) {
        (self.start, self.step, self.count) = (start, max(.seconds(1), step), max(0, count))
    }

    /// When the last column ends.
    package var end: Duration { start + step * count }

    /// The column of a time; negative before the first one, at least ``count`` after the last one.
    package func column(of time: Duration) -> Int {
        Int((time - start).nanoseconds.floorDivided(by: step.nanoseconds))
    }
}

/// The probes of a target in the columns of a chart.
public struct StoredChart: Sendable, Hashable {
    package let period: ChartPeriod
    /// The figures by the number of the column; those of a column without probes are absent.
    package let columns: [Int: ProbeFigures]

    /// Creates a chart of minutes, and of hours for the time of which no minutes are kept. Each counts for the column that has
    /// its middle.
    ///
    /// - Parameters:
    ///   - minutes: the figures by the number of the minute since 1970.
    ///   - hours: the figures by the number of the hour since 1970.
    package init(_ period: ChartPeriod, minutes: [Int64: ProbeFigures], hours: [Int64: ProbeFigures]) {
        var parts: [Int: [ProbeFigures]] = [:]
        func add(_ figures: ProbeFigures, at time: Duration) {
            let column = period.column(of: time)
            if (0..<period.count).contains(column) { parts[column, default: []].append(figures) }
        }
        let known = Set(minutes.keys.map { $0.floorDivided(by: 60) })
        for (number, figures) in minutes { add(figures, at: .seconds(number * 60 + 30)) }
        for (number, figures) in hours where !known.contains(number) {
            add(figures, at: .seconds(number * 3_600 + 1_800))
        }
        self.period = period
        var sum = FigureSum()
        columns = parts.mapValues { parts in
            guard parts.count > 1 else { return parts[0] }
            sum.removeAll()
            for part in parts { sum.add(part) }
            return sum.figures ?? parts[0]
        }
    }
}
