import ReachHooks
import ReachMonitoring
import TestSupport
import Testing

/// Random sequences of events never violate the invariants of the queue.
@Suite struct HookQueuePropertyTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random events never violate the invariants`(seed: UInt64) {
        var simulation = QueueSimulation(seed: seed)
        for _ in 0..<200 { simulation.step() }
        simulation.drain()
        #expect(simulation.violations == [])
        #expect(simulation.settled == simulation.submitted)
    }
}

/// A queue whose actions are performed, with all invariants checked after each step.
private struct QueueSimulation {
    private var queue = HookQueue(limit: 2)
    private var generator: SplitMix
    private var lastStarted: [Target.ID: HookRun.ID] = [:]
    private var attempts: [HookRun.ID: Int] = [:]
    private var isReachable: [Target.ID: Bool] = [:]
    /// The number of runs added, and of those that have ended or were dropped.
    private(set) var submitted = 0
    private(set) var settled = 0
    /// The invariants that were violated.
    private(set) var violations: Set<String> = []

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
    }

    mutating func step() {
        let before = queue.running.count
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...4: enqueue()
        case 5: transit(Target.ID(.random(in: 1...4, using: &generator)), to: .random(using: &generator))
        case 6: perform(queue.setLimit(.random(in: 1...4, using: &generator)))
        case 7...9: finish(isSuccess: .random(using: &generator))
        default:
            if let run = queue.delayedRetries.randomElement(using: &generator) { perform(queue.retryDelayElapsed(run)) }
        }
        checkInvariants(before)
    }

    /// Ends all runs in progress and all waiting runs.
    mutating func drain() {
        while !queue.running.isEmpty || !queue.delayedRetries.isEmpty {
            let before = queue.running.count
            if let run = queue.delayedRetries.first {
                perform(queue.retryDelayElapsed(run))
            } else {
                finish(isSuccess: false)
            }
            checkInvariants(before)
        }
        if !queue.waiting.isEmpty { violations.insert("a run waits forever") }
    }

    private mutating func enqueue() {
        submitted += 1
        let target = Int.random(in: 1...4, using: &generator)
        let events: [HookEvent] = [.up, .down, .change, .degraded, .address, .flapping, .test]
        let event = events.randomElement(using: &generator) ?? .up
        let health: Health = event == .down || (event == .change && Bool.random(using: &generator)) ? .down : .up
        let number = Int.random(in: 0...2, using: &generator)
        let run = HookRun.make(
            submitted,
            target: target,
            to: health,
            event: event,
            run: .shell("rule \(number)"),
            isOnce: number == 1,
            retries: number
        )
        if [.up, .down, .change, .degraded].contains(event) {
            isReachable[run.target] = health.isReachable
        }
        perform(queue.enqueue(run))
    }

    private mutating func transit(_ target: Target.ID, to isReachable: Bool) {
        self.isReachable[target] = isReachable
        perform(queue.dropObsolete(of: target, isReachable: isReachable))
    }

    private mutating func finish(isSuccess: Bool) {
        guard let run = queue.running.randomElement(using: &generator) else { return }
        let actions = queue.finished(run, isSuccess: isSuccess)
        let continues = actions.contains { action in
            switch action {
            case .delayRetry(let next), .drop(let next, _): next.id == run.id
            case .start: false
            }
        }
        if !continues { settled += 1 }
        if isSuccess && continues { violations.insert("a success is retried") }
        perform(actions)
    }

    private mutating func perform(_ actions: [HookQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let run):
                // A retry follows the runs that started during its delay.
                if run.attempt == 1 {
                    if let last = lastStarted[run.target], run.id < last {
                        violations.insert("runs of a target out of order")
                    }
                    lastStarted[run.target] = run.id
                }
                if run.attempt != attempts[run.id, default: 0] + 1 { violations.insert("an attempt is missing") }
                if run.attempt > run.rule.retries + 1 { violations.insert("too many attempts") }
                attempts[run.id] = run.attempt
            case .delayRetry:
                break
            case .drop:
                settled += 1
            }
        }
    }

    private mutating func checkInvariants(_ before: Int) {
        let (running, delayedRetries, waiting) = (queue.running, queue.delayedRetries, queue.waiting)
        if running.count > max(queue.limit, before) { violations.insert("the limit is exceeded") }
        let busy = running.map(\.target)
        if Set(busy).count != busy.count { violations.insert("two runs of a target at a time") }
        let queued = delayedRetries + waiting
        for (index, run) in queued.enumerated() where queued[..<index].contains(where: run.hasSameRule) {
            violations.insert("a rule waits twice")
        }
        if running.count < queue.limit, waiting.contains(where: { !busy.contains($0.target) }) {
            violations.insert("a run waits although it could start")
        }
        for run in queued where ![.address, .flapping, .test].contains(run.context.event) {
            if isReachable[run.target] != run.context.health.isReachable { violations.insert("an obsolete run waits") }
        }
    }
}
