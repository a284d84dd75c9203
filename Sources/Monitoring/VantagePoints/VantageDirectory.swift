/// The vantage points of all targets.
package struct VantageDirectory: Sendable {
    /// The summaries by name.
    package private(set) var summaries: [String: VantageSummary] = [:]
    /// When each vantage point reported last, whatever the targets, by the newest that is known.
    private(set) var heard: [String: Duration] = [:]
    /// The earliest time at which a report can be stale; nil if none can.
    var deadline: Duration?

    /// The most names, so that wrong labels take limited memory.
    static let capacity = 1_000

    init() {}

    /// The names, in order.
    package var names: [String] { summaries.keys.sorted() }

    /// Whether there are none.
    package var isEmpty: Bool { summaries.isEmpty }

    /// Records that vantage points report.
    mutating func hear(_ names: [String], at time: Duration) {
        for name in names where heard[name] != nil || heard.count < Self.capacity {
            // The newest samples may be older than was assumed.
            if let before = heard[name], time < before { advanceDeadline(to: time) }
            heard[name] = time
            summaries[name]?.hear(at: time)
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
        for (name, time) in heard { summaries[name]?.hear(at: time) }
    }
}
