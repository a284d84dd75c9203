import Hooks
import Monitoring
import TestSupport
import Testing

/// Whatever happens in whatever order, the queue keeps its promises.
@Suite struct HookQueuePropertyTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `the queue keeps its promises whatever happens`(seed: UInt64) {
        var world = QueueWorld(seed: seed)
        for _ in 0..<200 { world.happen() }
        world.drain()
        #expect(world.broken == [])
        #expect(world.settled == world.asked)
    }
}

/// A queue, somebody who does what it says, and a look at each promise after each step.
private struct QueueWorld {
    private var queue = HookQueue(limit: 2)
    private var generator: SplitMix
    private var lastStarted: [Target.ID: HookRun.ID] = [:]
    private var attempts: [HookRun.ID: Int] = [:]
    private var isReachable: [Target.ID: Bool] = [:]
    /// How many runs were asked for, and how many of them came to an end, each once.
    private(set) var asked = 0
    private(set) var settled = 0
    /// The promises that were broken.
    private(set) var broken: Set<String> = []

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
    }

    mutating func happen() {
        let before = queue.running.count
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...4: enqueue()
        case 5: transit(Target.ID(.random(in: 1...4, using: &generator)), to: .random(using: &generator))
        case 6: obey(queue.setLimit(.random(in: 1...4, using: &generator)))
        case 7...9: finish(isSuccess: .random(using: &generator))
        default: if let run = queue.resting.randomElement(using: &generator) { obey(queue.rested(run)) }
        }
        look(before)
    }

    /// Lets all that is under way end, and all that waits.
    mutating func drain() {
        while !queue.running.isEmpty || !queue.resting.isEmpty {
            let before = queue.running.count
            if let run = queue.resting.first { obey(queue.rested(run)) } else { finish(isSuccess: false) }
            look(before)
        }
        if !queue.waiting.isEmpty { broken.insert("something waits for nothing") }
    }

    private mutating func enqueue() {
        asked += 1
        let target = Int.random(in: 1...4, using: &generator)
        let events: [HookEvent] = [.up, .down, .change, .degraded, .address, .flapping, .test]
        let event = events.randomElement(using: &generator) ?? .up
        let health: Health = event == .down || (event == .change && Bool.random(using: &generator)) ? .down : .up
        let number = Int.random(in: 0...2, using: &generator)
        let run = HookRun.make(
            asked,
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
        obey(queue.enqueue(run))
    }

    private mutating func transit(_ target: Target.ID, to isReachable: Bool) {
        self.isReachable[target] = isReachable
        obey(queue.noteTransition(of: target, isReachable: isReachable))
    }

    private mutating func finish(isSuccess: Bool) {
        guard let run = queue.running.randomElement(using: &generator) else { return }
        let actions = queue.finished(run, isSuccess: isSuccess)
        let goesOn = actions.contains { action in
            switch action {
            case .rest(let next), .drop(let next, _): next.id == run.id
            case .start: false
            }
        }
        if !goesOn { settled += 1 }
        if isSuccess && goesOn { broken.insert("a success is tried again") }
        obey(actions)
    }

    private mutating func obey(_ actions: [HookQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let run):
                // A retry comes behind those that ran while it paused.
                if run.attempt == 1 {
                    if let last = lastStarted[run.target], run.id < last { broken.insert("the order of a target") }
                    lastStarted[run.target] = run.id
                }
                if run.attempt != attempts[run.id, default: 0] + 1 { broken.insert("an attempt is missing") }
                if run.attempt > run.rule.retries + 1 { broken.insert("too many attempts") }
                attempts[run.id] = run.attempt
            case .rest:
                break
            case .drop:
                settled += 1
            }
        }
    }

    private mutating func look(_ before: Int) {
        let (running, resting, waiting) = (queue.running, queue.resting, queue.waiting)
        if running.count > max(queue.limit, before) { broken.insert("the limit") }
        let busy = running.map(\.target)
        if Set(busy).count != busy.count { broken.insert("one at a time") }
        let queued = resting + waiting
        for (index, run) in queued.enumerated() where queued[..<index].contains(where: run.hasSameRule) {
            broken.insert("a rule waits twice")
        }
        if running.count < queue.limit, waiting.contains(where: { !busy.contains($0.target) }) {
            broken.insert("somebody waits without need")
        }
        for run in queued where ![.address, .flapping, .test].contains(run.occasion.event) {
            if isReachable[run.target] != run.occasion.health.isReachable { broken.insert("something obsolete waits") }
        }
    }
}
