import Monitoring

/// The waiting runs in order, with their number for each target.
///
/// The numbers make lookups fast: most targets have no waiting run, and a thousand targets may go down at once.
struct WaitingRuns: Sendable {
    private(set) var runs: [HookRun] = []
    private var counts: [Target.ID: Int] = [:]

    /// Inserts a run by its arrival. A retry keeps the position of its first try.
    mutating func insert(_ run: HookRun) {
        runs.insert(run, at: (runs.lastIndex { $0.id < run.id } ?? -1) + 1)
        counts[run.target, default: 0] += 1
    }

    /// Removes and returns the first run that satisfies a condition.
    mutating func removeFirst(where condition: (HookRun) -> Bool) -> HookRun? {
        guard let index = runs.firstIndex(where: condition) else { return nil }
        let run = runs.remove(at: index)
        decrementCount(of: run)
        return run
    }

    /// Removes and returns all runs of a target that satisfy a condition.
    mutating func removeAll(of target: Target.ID, where condition: (HookRun) -> Bool) -> [HookRun] {
        guard counts[target] != nil else { return [] }
        let removed = runs.filter { $0.target == target && condition($0) }
        guard !removed.isEmpty else { return [] }
        runs.removeAll { $0.target == target && condition($0) }
        for run in removed { decrementCount(of: run) }
        return removed
    }

    /// Removes and returns all runs.
    mutating func removeAll() -> [HookRun] {
        counts = [:]
        defer { runs = [] }
        return runs
    }

    /// Returns whether a run of the same rule and target is waiting.
    func contains(sameRuleAs run: HookRun) -> Bool {
        counts[run.target] != nil && runs.contains { $0.hasSameRule(as: run) }
    }

    private mutating func decrementCount(of run: HookRun) {
        let remaining = counts[run.target, default: 1] - 1
        counts[run.target] = remaining == 0 ? nil : remaining
    }
}
