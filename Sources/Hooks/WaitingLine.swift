import Monitoring

/// The runs that wait, first come first, and how many of them belong to each target: most targets have none, and a
/// thousand of them may go down at once, each asking whether something of its own waits.
struct WaitingLine: Sendable {
    private(set) var runs: [HookRun] = []
    private var counts: [Target.ID: Int] = [:]

    /// Takes a run in, at its place: a retry came when its first try did.
    mutating func insert(_ run: HookRun) {
        runs.insert(run, at: (runs.lastIndex { $0.id < run.id } ?? -1) + 1)
        counts[run.target, default: 0] += 1
    }

    /// Takes out the first run that satisfies a condition.
    mutating func removeFirst(where isWanted: (HookRun) -> Bool) -> HookRun? {
        guard let index = runs.firstIndex(where: isWanted) else { return nil }
        let run = runs.remove(at: index)
        uncount(run)
        return run
    }

    /// Takes out all runs of a target that satisfy a condition.
    mutating func removeAll(of target: Target.ID, where isConcerned: (HookRun) -> Bool) -> [HookRun] {
        guard counts[target] != nil else { return [] }
        let removed = runs.filter { $0.target == target && isConcerned($0) }
        guard !removed.isEmpty else { return [] }
        runs.removeAll { $0.target == target && isConcerned($0) }
        for run in removed { uncount(run) }
        return removed
    }

    /// Takes out everything.
    mutating func removeAll() -> [HookRun] {
        counts = [:]
        defer { runs = [] }
        return runs
    }

    /// Whether a run of the same rule and target waits.
    func contains(sameRuleAs run: HookRun) -> Bool {
        counts[run.target] != nil && runs.contains { $0.hasSameRule(as: run) }
    }

    private mutating func uncount(_ run: HookRun) {
        let left = counts[run.target, default: 1] - 1
        counts[run.target] = left == 0 ? nil : left
    }
}
