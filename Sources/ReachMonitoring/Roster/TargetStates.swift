/// The states of all targets, in their order.
public struct TargetStates: Sendable {
    private var states: [TargetState]
    /// The summaries of the states, in the same order.
    package private(set) var targetSummaries: [TargetSummary]
    /// The numbers of targets by health.
    package private(set) var healthCounts = HealthCounts()
    /// Incremented when a summary changes in more than its round trip. Equal values mean no such change.
    package private(set) var changes = 0

    init(_ states: [TargetState] = []) {
        self.states = states
        targetSummaries = states.map { TargetSummary($0) }
        for targetSummary in targetSummaries { healthCounts.add(targetSummary) }
    }

    private mutating func updateSummary(at position: Int) {
        let (before, after) = (targetSummaries[position], TargetSummary(states[position]))
        guard before != after else { return }
        targetSummaries[position] = after
        guard !before.hasSameState(after) else { return }
        healthCounts.remove(before)
        healthCounts.add(after)
        changes += 1
    }
}

extension TargetStates: RandomAccessCollection {
    /// Always zero: the first target of the settings.
    public var startIndex: Int { 0 }
    /// The number of targets.
    public var endIndex: Int { states.count }

    /// The state of the target at a position.
    public internal(set) subscript(position: Int) -> TargetState {
        _read { yield states[position] }
        _modify {
            defer { updateSummary(at: position) }
            yield &states[position]
        }
    }
}

extension Roster {
    /// The most samples of all targets that are kept exactly: eight megabytes.
    private static let maxExactSamples = 1_000_000

    /// Whether older samples are packed, for histories of these capacities.
    static func packsSamples(_ capacities: [Int]) -> Bool {
        capacities.reduce(0, +) > maxExactSamples
    }

    /// The number of samples that cover `span` at the target's interval, and at least the statistics window.
    package static func historyCapacity(of target: Target, covering span: Duration) -> Int {
        // A span can have more samples than an integer can count.
        Int(min(100_000, max(Double(Statistics.window), (span / target.interval).rounded(.up))))
    }
}
