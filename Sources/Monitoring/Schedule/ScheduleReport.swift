/// How a lane kept its schedule in the last ten seconds.
public struct ScheduleReport: Sendable, Hashable {
    /// The number of probes that left late.
    public let late: Int
    /// The number of probes that did not leave.
    public let skipped: Int
    /// The share of late and skipped probes, 0…1, if the lane does not keep its schedule; nil if it does.
    public let missedShare: Double?

    /// Creates a report.
    public init(late: Int, skipped: Int, missedShare: Double?) {
        self.late = late
        self.skipped = skipped
        self.missedShare = missedShare
    }
}

/// How all lanes keep their schedules, from their reports.
public struct ScheduleState: Sendable, Hashable {
    /// The number of probes that left late.
    public private(set) var late = 0
    /// The number of probes that did not leave.
    public private(set) var skipped = 0
    /// The shares of late and skipped probes of the lanes that miss their schedule, by lane.
    private var missedShares: [Int: Double] = [:]

    /// Creates the state of lanes that keep their schedules.
    public init() {}

    /// The share of late and skipped probes, 0…1, of the lane with the largest one; nil while all lanes keep their
    /// schedules.
    public var missedShare: Double? { missedShares.values.max() }

    /// Counts a report of a lane.
    mutating func record(_ report: ScheduleReport, of lane: Int) {
        late += report.late
        skipped += report.skipped
        missedShares[lane] = report.missedShare
    }
}
