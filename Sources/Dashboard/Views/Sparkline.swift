import Monitoring
import Screen

/// The round trips of the last minute, newest right, one column per stretch of time.
///
/// Columns begin at fixed times, so that one that scrolls out never moves the others. A column shows the worst of its
/// probes; between two probes the last one stands. Where nobody asked, it is blank.
struct Sparkline: Sendable, Hashable {
    /// The time that all columns cover.
    static let span = Duration.seconds(60)
    /// The widths that divide the span into whole seconds.
    static let widths = [12, 20, 30, 60]

    /// What one column shows.
    enum Column: Sendable, Hashable {
        case blank
        case lost
        case roundTrip(Duration)
    }

    let columns: [Column]

    init(_ standing: Standing, now: Duration, width: Int) {
        let step = Self.span / width
        let newest = Int((now / step).rounded(.down))
        let oldest = newest - width + 1
        var columns = [Column](repeating: .blank, count: width)
        // One interval and what a probe may be late: until then the last outcome stands.
        let hold = standing.target.interval * 1.25 + standing.target.timeout
        var last: (index: Int, time: Duration, column: Column)?

        func fill(upTo end: Int) {
            guard let last else { return }
            for index in (last.index + 1)..<max(last.index + 1, end) where index >= 0 {
                guard step * (oldest + index) - last.time < hold else { return }
                columns[index] = last.column
            }
        }
        for sample in standing.history.since(step * oldest - hold) {
            let index = min(width - 1, Int((sample.time / step).rounded(.down)) - oldest)
            fill(upTo: index)
            // An answer for which nothing travelled stands on the ground line.
            let column: Column = sample.isLoss ? .lost : .roundTrip(sample.roundTrip ?? .zero)
            if index >= 0 { columns[index] = last?.index == index ? columns[index].worse(column) : column }
            last = (index, sample.time, column)
        }
        if standing.isAsked { fill(upTo: width) }
        self.columns = columns
    }

    /// The columns as styled characters.
    func segments(_ standing: Standing, look: Look) -> [Segment] {
        let scale = ChartScale(standing.statistics)
        let slow = standing.target.thresholds.slow
        let glyphs = look.glyphs
        return columns.map { column in
            switch column {
            case .blank:
                Segment(" ", .plain)
            case .lost:
                Segment(String(glyphs.loss), look[.down])
            case .roundTrip(let roundTrip):
                if let level = scale.level(of: roundTrip, count: glyphs.levels.count) {
                    Segment(String(glyphs.levels[level]), look[slow.map { roundTrip > $0 } ?? false ? .degraded : .up])
                } else {
                    Segment(String(glyphs.clipped), look[.degraded])
                }
            }
        }
    }
}

extension Sparkline.Column {
    func worse(_ other: Self) -> Self {
        switch (self, other) {
        case (.lost, _), (_, .lost): .lost
        case (.roundTrip(let one), .roundTrip(let two)): .roundTrip(max(one, two))
        case (.blank, _): other
        case (_, .blank): self
        }
    }
}
