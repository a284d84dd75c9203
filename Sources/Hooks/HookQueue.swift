public import Monitoring

/// Decides which hook run starts when: at most one per target and `limit` overall, first come, first served.
///
/// It knows no process and no clock: each call takes what happened and returns what to do. It bounds itself, since the
/// same rule of the same target never waits twice, and a limit only delays a run, it never loses one.
public struct HookQueue: Sendable {
    /// What the caller has to do.
    public enum Action: Sendable, Hashable {
        /// Start this run, and say ``HookQueue/finished(_:isSuccess:mayPass:)`` when it has ended.
        case start(HookRun)
        /// This run failed and is tried again: say ``HookQueue/rested(_:)`` after a pause.
        case rest(HookRun)
        /// This run will not start, for this reason.
        case drop(HookRun, HookDrop)
    }

    /// How many runs may be running at the same time, over all targets; at least one.
    public private(set) var limit: Int
    /// The runs that have been started and have not ended, in the order of their start.
    public private(set) var running: [HookRun] = []
    /// The runs that failed and pause before they are tried again. They hold no place, and their targets' other runs go on.
    public private(set) var resting: [HookRun] = []
    /// The runs that wait, in the order in which they came.
    public var waiting: [HookRun] { line.runs }
    private var line = WaitingLine()
    /// The running ones that are not to be tried again: another transition came meanwhile, or their target is gone.
    private var obsolete: Set<HookRun.ID> = []
    private var isQuitting = false

    /// An empty queue.
    public init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Takes a new run in. Its own transition makes the target's older runs for the opposite one obsolete, and those of the
    /// same rule.
    public mutating func enqueue(_ run: HookRun) -> [Action] {
        guard !isQuitting else { return [.drop(run, .quitting)] }
        var actions =
            run.isForReachable.map { noteTransition(of: run.target, isReachable: $0) } ?? dropOlder(than: run)
        if run.isForReachable == nil {
            guard !line.contains(sameRuleAs: run), !resting.contains(where: run.hasSameRule) else {
                return actions + [.drop(run, .alreadyQueued)]
            }
        } else {
            actions += dropOlderState(than: run)
        }
        line.insert(run)
        return actions + startReady()
    }

    /// Takes a transition into account that no rule needs to wait for: what waits for the opposite one is obsolete. A
    /// run that is running already is left to end, and not tried again.
    public mutating func noteTransition(of target: Target.ID, isReachable: Bool) -> [Action] {
        let isOpposite = { (run: HookRun) in run.target == target && run.isForReachable == !isReachable }
        obsolete.formUnion(running.filter(isOpposite).map(\.id))
        let tired = resting.filter(isOpposite)
        resting.removeAll(where: isOpposite)
        let dropped = tired + line.removeAll(of: target, where: isOpposite)
        return dropped.map { .drop($0, .obsolete) }
    }

    /// Takes the end of a run into account. The success of a rule that runs once drops its runs that wait; a failure is
    /// tried again as often as the rule says, if another try may end better.
    public mutating func finished(_ run: HookRun, isSuccess: Bool, mayPass: Bool = true) -> [Action] {
        guard let index = running.firstIndex(where: { $0.id == run.id }) else { return [] }
        running.remove(at: index)
        let isObsolete = obsolete.remove(run.id) != nil
        if isSuccess, run.rule.isOnce, !run.isTest {
            let needless = line.removeAll(of: run.target) { $0.hasSameRule(as: run) }
            return needless.map { .drop($0, .alreadySucceeded) } + startReady()
        }
        guard !isSuccess, mayPass, let retry = run.retry else { return startReady() }
        if isQuitting { return [.drop(retry, .quitting)] }
        if isObsolete { return [.drop(retry, .obsolete)] + startReady() }
        // What fired the rule anew while it ran is newer than the retry, and does the same.
        if line.contains(sameRuleAs: run) { return [.drop(retry, .alreadyQueued)] + startReady() }
        resting.append(retry)
        return [.rest(retry)] + startReady()
    }

    /// Takes into account that the pause of a retry is over. It starts before the target's other runs.
    public mutating func rested(_ run: HookRun) -> [Action] {
        guard let index = resting.firstIndex(of: run) else { return [] }
        line.insert(resting.remove(at: index))
        return startReady()
    }

    /// Allows another number of runs at the same time. Where it is lower than before, running ones are left to end.
    public mutating func setLimit(_ limit: Int) -> [Action] {
        self.limit = max(1, limit)
        return startReady()
    }

    /// Drops everything that waits for these targets, which the settings no longer have. What runs is left to end, and not
    /// tried again.
    public mutating func remove(_ targets: Set<Target.ID>) -> [Action] {
        let isGone = { (run: HookRun) in targets.contains(run.target) }
        obsolete.formUnion(running.filter(isGone).map(\.id))
        let tired = resting.filter(isGone)
        resting.removeAll(where: isGone)
        let gone = tired + targets.sorted { $0.rawValue < $1.rawValue }.flatMap { line.removeAll(of: $0) { _ in true } }
        return gone.map { .drop($0, .targetGone) }
    }

    /// Drops everything that waits, and everything that is to come.
    public mutating func quit() -> [Action] {
        isQuitting = true
        defer { resting = [] }
        return (resting + line.removeAll()).map { .drop($0, .quitting) }
    }

    /// Drops the run of the same rule that would report an older state of the target, so that the last one reported is the
    /// present one.
    private mutating func dropOlderState(than run: HookRun) -> [Action] {
        let isOlder = { (other: HookRun) in other.hasSameRule(as: run) }
        let tired = resting.filter(isOlder)
        resting.removeAll(where: isOlder)
        return (tired + line.removeAll(of: run.target, where: isOlder)).map { .drop($0, .obsolete) }
    }

    /// Drops what would tell of an older address than the new run does, or of a flapping that is over.
    private mutating func dropOlder(than run: HookRun) -> [Action] {
        guard !run.isTest else { return [] }
        let isOlder = { (other: HookRun) in
            other.hasSameRule(as: run) && other.occasion.event == run.occasion.event
        }
        let tired = resting.filter(isOlder)
        resting.removeAll(where: isOlder)
        return (tired + line.removeAll(of: run.target, where: isOlder)).map { .drop($0, .obsolete) }
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
    /// Whether it was a target that answers for which it was asked; nil where health is not what fired it.
    fileprivate var isForReachable: Bool? {
        switch occasion.event {
        case .up, .down, .degraded, .fault, .change: occasion.health.isReachable
        case .flapping, .address, .test: nil
        }
    }
}
