public import ReachMonitoring

/// A queue of hook runs that starts at most one run per target and `limit` runs overall, first in, first out.
///
/// The queue is pure: each call handles an event and returns the actions to perform. Its size is bounded, since each
/// rule of a target waits at most once. The limit delays runs and never drops them.
public struct HookQueue: Sendable {
    /// An action that the caller performs.
    public enum Action: Sendable, Hashable {
        /// Start this run, and call ``HookQueue/finished(_:isSuccess:isTransient:)`` when it has ended.
        case start(HookRun)
        /// Wait before this retry of a failed run, then call ``HookQueue/retryDelayElapsed(_:)``.
        case delayRetry(HookRun)
        /// Report that this run will not start.
        case drop(HookRun, HookDrop)
    }

    /// The maximum number of concurrent runs over all targets; at least one.
    public private(set) var limit: Int
    /// The runs in progress, in the order of their start.
    public private(set) var running: [HookRun] = []
    /// The retries whose delay has not elapsed. They do not count toward the limit, and other runs of their targets
    /// start.
    public private(set) var delayedRetries: [HookRun] = []
    /// The waiting runs, in the order of their arrival.
    public var waiting: [HookRun] { queue.runs }
    private var queue = WaitingRuns()
    /// The runs in progress that are not retried: the opposite transition followed, or their target was removed.
    private var obsolete: Set<HookRun.ID> = []
    private var isQuitting = false
    /// Whether runs may start.
    private var mayStart = true

    /// Creates an empty queue.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds a run. It drops older waiting runs of its target: those for the opposite transition, and those of the same
    /// rule.
    public mutating func enqueue(_ run: HookRun) -> [Action] {
        guard !isQuitting else { return [.drop(run, .quitting)] }
        let actions: [Action]
        if let isReachable = run.isForReachable {
            // The last run reports the present state.
            actions =
                dropObsolete(of: run.target, isReachable: isReachable)
                + drop(of: run.target, because: .obsolete, where: run.hasSameRule)
        } else {
            // An older address, or flapping that has ended.
            actions = drop(of: run.target, because: .obsolete) {
                !run.isTest && $0.hasSameRule(as: run) && $0.context.event == run.context.event
            }
            guard !queue.contains(sameRuleAs: run), !delayedRetries.contains(where: run.hasSameRule) else {
                return actions + [.drop(run, .alreadyQueued)]
            }
        }
        queue.insert(run)
        return actions + startReady()
    }

    /// Handles a transition, whether or not a rule fires: waiting runs for the opposite transition are obsolete. Runs
    /// in progress continue and are not retried.
    public mutating func dropObsolete(of target: Target.ID, isReachable: Bool) -> [Action] {
        let isOpposite = { (run: HookRun) in run.target == target && run.isForReachable == !isReachable }
        obsolete.formUnion(running.filter(isOpposite).map(\.id))
        return drop(of: target, because: .obsolete, where: isOpposite)
    }

    /// Handles the end of a run. The success of a rule that runs once drops its waiting runs. A failure is retried as
    /// often as the rule allows, if a retry can succeed.
    public mutating func finished(_ run: HookRun, isSuccess: Bool, isTransient: Bool = true) -> [Action] {
        guard let index = running.firstIndex(where: { $0.id == run.id }) else { return [] }
        running.remove(at: index)
        let isObsolete = obsolete.remove(run.id) != nil
        if isSuccess, run.rule.isOnce, !run.isTest {
            let superfluous = queue.removeAll(of: run.target) { $0.hasSameRule(as: run) }
            return superfluous.map { .drop($0, .alreadySucceeded) } + startReady()
        }
        guard !isSuccess, isTransient, let retry = run.retry else { return startReady() }
        if isQuitting { return [.drop(retry, .quitting)] }
        if isObsolete { return [.drop(retry, .obsolete)] + startReady() }
        // The rule fired again during the run: that newer run replaces the retry.
        if queue.contains(sameRuleAs: run) { return [.drop(retry, .alreadyQueued)] + startReady() }
        delayedRetries.append(retry)
        return [.delayRetry(retry)] + startReady()
    }

    /// Handles the end of a retry delay. The retry starts before the other runs of its target.
    public mutating func retryDelayElapsed(_ run: HookRun) -> [Action] {
        guard let index = delayedRetries.firstIndex(of: run) else { return [] }
        queue.insert(delayedRetries.remove(at: index))
        return startReady()
    }

    /// Sets the maximum number of concurrent runs. Runs in progress continue even if they exceed it.
    public mutating func setLimit(_ limit: Int) -> [Action] {
        self.limit = max(1, limit)
        return startReady()
    }

    /// Sets whether runs may start. Waiting runs and retries keep their positions meanwhile.
    public mutating func setMayStart(_ mayStart: Bool) -> [Action] {
        self.mayStart = mayStart
        return startReady()
    }

    /// Drops the waiting runs of targets that were removed from the settings. Runs in progress continue and are not
    /// retried.
    public mutating func remove(_ targets: Set<Target.ID>) -> [Action] {
        obsolete.formUnion(running.filter { targets.contains($0.target) }.map(\.id))
        return targets.sorted().flatMap { drop(of: $0, because: .targetGone) { _ in true } }
    }

    /// Drops all waiting runs and all runs added later.
    public mutating func quit() -> [Action] {
        isQuitting = true
        defer { delayedRetries = [] }
        return (delayedRetries + queue.removeAll()).map { .drop($0, .quitting) }
    }

    /// Drops the waiting runs and retries of a target that satisfy a condition.
    private mutating func drop(
        of target: Target.ID,
        because reason: HookDrop,
        where condition: (HookRun) -> Bool
    ) -> [Action] {
        let delayed = delayedRetries.filter { $0.target == target && condition($0) }
        delayedRetries.removeAll { $0.target == target && condition($0) }
        return (delayed + queue.removeAll(of: target, where: condition)).map { .drop($0, reason) }
    }

    private mutating func startReady() -> [Action] {
        var actions: [Action] = []
        while mayStart, running.count < limit {
            let busy = Set(running.map(\.target))
            guard let run = queue.removeFirst(where: { !busy.contains($0.target) }) else { break }
            running.append(run)
            actions.append(.start(run))
        }
        return actions
    }
}

extension HookRun {
    /// Whether the run was fired by a target that is reachable; nil if its event is not a change of health.
    fileprivate var isForReachable: Bool? {
        switch context.event {
        case .up, .down, .degraded, .fault, .change: context.health.isReachable
        case .flapping, .address, .path, .shift, .cause, .causeEnd, .test: nil
        }
    }
}

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
