import ReachMonitoring
import ReachScreen

/// A column of a chart: the probes of one time range.
struct ChartColumn: Sendable, Hashable {
    /// The median of the round trips in nanoseconds, by nearest rank; nil without a reply.
    let medianNanoseconds: Int64?
    /// The longest round trip in nanoseconds; nil without a reply.
    let maximumNanoseconds: Int64?
    /// The number of replies.
    let replies: Int
    /// The number of lost probes.
    let losses: Int
    /// Whether no probe ended in the column, and it repeats the last one before it.
    private(set) var isRepeated = false

    /// A column without probes.
    static let blank = ChartColumn(nanoseconds: [], losses: 0)

    /// Creates the column of some probes, from the round trips of the replies.
    init(nanoseconds: [Int64], losses: Int) {
        let sorted = nanoseconds.count > 1 ? nanoseconds.sorted() : nanoseconds
        medianNanoseconds = sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
        maximumNanoseconds = sorted.last
        replies = sorted.count
        self.losses = losses
    }

    /// Creates the column of one probe. A reply without a round trip, such as that of a link, counts as zero.
    init(_ sample: Sample) {
        self.init(nanoseconds: sample.isLoss ? [] : [sample.nanoseconds ?? 0], losses: sample.isLoss ? 1 : 0)
    }

    /// Creates a column of the stored history, in which the 95th percentile stands for the longest round trip: of many probes, the
    /// longest one says little.
    init(_ figures: ProbeFigures) {
        medianNanoseconds = figures.received == 0 ? nil : figures.roundTrips?.p50.nanoseconds ?? 0
        maximumNanoseconds = figures.received == 0 ? nil : figures.roundTrips?.p95.nanoseconds ?? 0
        (replies, losses) = (figures.received, figures.lost)
    }

    /// The median of the round trips; nil without a reply.
    var median: Duration? { medianNanoseconds.map { .nanoseconds($0) } }

    /// The longest round trip; nil without a reply.
    var maximum: Duration? { maximumNanoseconds.map { .nanoseconds($0) } }

    /// Whether the column has no probes.
    var isBlank: Bool { replies + losses == 0 }

    /// The share of lost probes, 0…1; nil without probes.
    var loss: Double? { isBlank ? nil : Double(losses) / Double(replies + losses) }

    /// Whether all probes were lost.
    var isLost: Bool { replies == 0 && losses > 0 }

    /// The same column where it is repeated.
    private var repeated: ChartColumn {
        var column = self
        column.isRepeated = true
        return column
    }

    /// Returns a target's columns along an axis, oldest first.
    ///
    /// A column between two probes repeats the last one. A column without probes is blank.
    ///
    /// - Parameter repeatsNewest: Whether the newest column repeats the last one until its own probe has ended.
    static func columns(of state: TargetState, along axis: TimeAxis, repeatsNewest: Bool = true) -> [ChartColumn] {
        var columns = [ChartColumn](repeating: .blank, count: axis.count)
        // The last outcome is repeated for one interval, plus the maximum delay of a probe.
        let repetition = state.target.interval * 1.25 + state.target.timeout
        let end = min(axis.count, axis.column(of: axis.until) + 1)
        var roundTrips: [Int64] = []
        var losses = 0
        var last: (index: Int, sample: Sample)?

        // Writes the column of the last samples, and repeats the last one up to `end`.
        func write(upTo end: Int) {
            guard let last else { return }
            if columns.indices.contains(last.index) {
                columns[last.index] = ChartColumn(nanoseconds: roundTrips, losses: losses)
            }
            let (time, repeated) = (last.sample.time, ChartColumn(last.sample).repeated)
            for index in (last.index + 1)..<max(last.index + 1, end) where index >= 0 {
                guard axis.start(ofColumn: index) - time < repetition else { return }
                columns[index] = repeated
            }
        }
        for sample in state.history.since(axis.start(ofColumn: 0) - repetition) {
            let index = min(end - 1, axis.column(ofNanoseconds: sample.timeNanoseconds))
            if index != last?.index {
                write(upTo: index)
                roundTrips.removeAll(keepingCapacity: true)
                losses = 0
            }
            if sample.isLoss { losses += 1 } else { roundTrips.append(sample.nanoseconds ?? 0) }
            last = (index, sample)
        }
        if let last { write(upTo: !state.isProbed ? last.index : repeatsNewest ? end : end - 1) }
        return columns
    }
}

/// The line below a chart that shows lost probes: the height of each character is their share.
struct LossRail: Sendable, Hashable {
    /// The share of lost probes of each character, 0…1; nil without probes.
    let shares: [Double?]

    /// Creates the rail of the columns of a chart.
    init(_ columns: [ChartColumn], columnsPerCell: Int) {
        shares = stride(from: 0, to: columns.count, by: columnsPerCell).map { start in
            let cell = columns[start..<min(columns.count, start + columnsPerCell)]
            guard cell.contains(where: { $0.losses > 0 }) else { return cell.allSatisfy(\.isBlank) ? nil : 0 }
            // A repeated column is no further probe.
            let own = cell.filter { !$0.isRepeated && !$0.isBlank }
            let (losses, replies) = (own.isEmpty ? cell[...] : own[...]).reduce((0, 0)) {
                ($0.0 + $1.losses, $0.1 + $1.replies)
            }
            return losses + replies == 0 ? nil : Double(losses) / Double(losses + replies)
        }
    }

    /// Returns the cells of the rail.
    func cells(appearance: Appearance) -> [Cell] {
        shares.map { share in
            guard let share, let role = Role(loss: share) else { return .blank }
            return Cell(narrow: appearance.glyphs.losses.element(ofShare: share), appearance[role])
        }
    }
}

extension Role {
    /// The role of a share of lost probes, as in the table's column of losses; nil without a loss.
    init?(loss share: Double) {
        guard share > 0 else { return nil }
        self = share < 0.1 ? .degraded : .down
    }
}
