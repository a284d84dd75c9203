import ReachHooks
import ReachMonitoring

/// Hook runs that are enqueued at once, two for each target, and end in the order of their start.
struct HookRunsFixture {
    private let runs: [HookRun]

    init(count: Int) {
        let rules = ["first", "second"].map { HookRule(on: [.down], run: .command(.shell($0))) }
        runs = (0..<count).map { number in
            let transition = Transition(
                from: .up,
                to: .down,
                time: .seconds(10),
                lasted: .seconds(10),
                cause: .losses(3, nil)
            )
            let context = HookContext(
                event: .down,
                trigger: .transition(transition),
                at: .seconds(10),
                name: "ap-\(number / 2)",
                question: .icmp(host: "192.0.2.1"),
                health: .down,
                since: .seconds(10)
            )
            return HookRun(id: number + 1, target: Target.ID(number / 2), rule: rules[number % 2], context: context)
        }
    }

    /// Passes all runs through a queue.
    ///
    /// - Returns: The number of started runs.
    func runAll() -> Int {
        var queue = HookQueue(limit: 4)
        var actions = runs.flatMap { queue.enqueue($0) }
        var started = 0
        while !actions.isEmpty {
            let ended: [HookRun] = actions.compactMap {
                if case .start(let run) = $0 { run } else { nil }
            }
            started += ended.count
            actions = ended.flatMap { queue.finished($0, isSuccess: true) }
        }
        return started
    }
}
