/// The vantage points of all targets.
package struct VantageDirectory: Sendable {
    /// The summaries by name.
    package private(set) var summaries: [String: VantageSummary] = [:]
    /// When each vantage point reported last about any target.
    private(set) var lastReports: [String: Duration] = [:]
    /// The earliest time at which a report can be stale; nil if none can.
    var deadline: Duration?

    /// The maximum number of names, so that wrong labels take limited memory.
    static let capacity = 1_000

    init() {}

    /// The names, in order.
    package var names: [String] { summaries.keys.sorted() }

    /// Whether there are none.
    package var isEmpty: Bool { summaries.isEmpty }

    /// Records that vantage points report.
    mutating func recordReporting(_ names: [String], at time: Duration) {
        for name in names where lastReports[name] != nil || lastReports.count < Self.capacity {
            // The newest samples may be older than was assumed.
            if let before = lastReports[name], time < before { advanceDeadline(to: time) }
            lastReports[name] = time
            summaries[name]?.recordReport(at: time)
        }
    }

    /// Counts the vantage points of a target that has changed.
    mutating func replace(_ before: [VantagePoint], with after: [VantagePoint]) {
        guard before != after else { return }
        for point in after where summaries[point.name] != nil || summaries.count < Self.capacity {
            summaries[point.name, default: VantageSummary()].add(point)
        }
        for point in before {
            summaries[point.name]?.remove(point)
            if summaries[point.name]?.targets == 0 { summaries[point.name] = nil }
        }
    }

    /// Makes the deadline earlier.
    mutating func advanceDeadline(to time: Duration?) {
        guard let time else { return }
        deadline = min(deadline ?? time, time)
    }

    /// Counts all targets again, after some were removed.
    mutating func recount(_ states: TargetStates) {
        guard !summaries.isEmpty else { return }
        summaries = [:]
        for state in states { replace([], with: state.vantagePoints?.points ?? []) }
        for (name, time) in lastReports { summaries[name]?.recordReport(at: time) }
    }
}

/// One vantage point over all targets.
package struct VantageSummary: Sendable, Hashable {
    /// The targets that it reports on, or has reported on.
    package private(set) var targets = 0
    /// Those that it reports on now.
    package private(set) var reporting = 0
    /// Those that it reports up; likewise the others.
    package private(set) var up = 0
    /// Those that it reports degraded.
    package private(set) var degraded = 0
    /// Those that it reports down.
    package private(set) var down = 0
    /// When its newest sample was taken, or it last reported, since the start of the program.
    package private(set) var lastReportTime = Duration.zero

    /// Whether it reports on no target any more.
    package var isSilent: Bool { reporting == 0 }

    mutating func recordReport(at time: Duration) {
        lastReportTime = max(lastReportTime, time)
    }

    mutating func add(_ point: VantagePoint) {
        recordReport(at: point.time)
        count(point, by: 1)
    }

    mutating func remove(_ point: VantagePoint) {
        count(point, by: -1)
    }

    private mutating func count(_ point: VantagePoint, by step: Int) {
        targets += step
        guard point.isReporting else { return }
        reporting += step
        switch point.health {
        case .up: up += step
        case .degraded: degraded += step
        case .down: down += step
        case .unknown: break
        }
    }
}
