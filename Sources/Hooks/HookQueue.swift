public import Monitoring

/// Decides which hook run starts when: at most one per target and `limit` overall, first come, first served.
///
/// It knows no process and no clock: each call takes what happened and returns what to do. It bounds itself, since the
/// same rule of the same target never waits twice, and a limit only delays a run, it never loses one.
public struct HookQueue: Sendable {
    /// What the caller has to do.
    public enum Action: Sendable, Hashable {
        /// Start this run, and say ``HookQueue/finished(_:isSuccess:)`` when it has ended.
        case start(HookRun)
        /// This run will not start, for this reason.
        case drop(HookRun, HookDrop)
    }

    /// How many runs may be running at the same time, over all targets; at least one.
    public private(set) var limit: Int
    /// The runs that have been started and have not ended, in the order of their start.
    public private(set) var running: [HookRun] = []
    /// The runs that wait, in the order in which they came.
    public var waiting: [HookRun] { line.runs }
    private var line = WaitingLine()
    private var isQuitting = false

    /// An empty queue.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Takes a new run in. Its own transition makes the target's older runs for the opposite one obsolete.
    public mutating func enqueue(_ run: HookRun) -> [Action] {
        guard !isQuitting else { return [.drop(run, .quitting)] }
        let dropped = noteTransition(of: run.target, isReachable: run.isForReachable)
        guard !line.contains(run.rule, of: run.target) else {
            return dropped + [.drop(run, .alreadyQueued)]
        }
        line.append(run)
        return dropped + startReady()
    }

    /// Takes a transition into account that no rule needs to wait for: what waits for the opposite one is obsolete. A
    /// run that is running already is left to end.
    public mutating func noteTransition(of target: Target.ID, isReachable: Bool) -> [Action] {
        line.removeAll(of: target) { $0.isForReachable != isReachable }.map { .drop($0, .obsolete) }
    }

    /// Takes the end of a run into account. The success of a rule that runs once drops its runs that wait.
    public mutating func finished(_ run: HookRun, isSuccess: Bool) -> [Action] {
        running.removeAll { $0.id == run.id }
        guard run.rule.isOnce, isSuccess else { return startReady() }
        let needless = line.removeAll(of: run.target) { $0.rule == run.rule }
        return needless.map { .drop($0, .alreadySucceeded) } + startReady()
    }

    /// Allows another number of runs at the same time. Where it is lower than before, running ones are left to end.
    public mutating func setLimit(_ limit: Int) -> [Action] {
        self.limit = max(1, limit)
        return startReady()
    }

    /// Drops everything that waits, and everything that is to come.
    public mutating func quit() -> [Action] {
        isQuitting = true
        return line.removeAll().map { .drop($0, .quitting) }
    }

    private mutating func startReady() -> [Action] {
        var actions: [Action] = []
        while running.count < limit {
            let busy = Set(running.map(\.target))
            guard let run = line.removeFirst(where: { !busy.contains($0.target) }) else { break }
            running.append(run)
            actions.append(.start(run))
        }
        return actions
    }
}

extension HookRun {
    fileprivate var isForReachable: Bool { occasion.health.isReachable }
}
