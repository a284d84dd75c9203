import ReachMonitoring

/// Outages that have nothing to do with each other. Each cause that is named is false.
struct IndependentRow {
    enum Onsets: String, CaseIterable {
        /// At random moments of an hour, after a day of observation. Each is reported when it is seen.
        case spread = "in an hour, after a day"
        /// All when the program starts.
        case start = "found at the start"
        /// All within one interval, after a day without any.
        case storm = "within 10 s, after a day, one by one"
        /// The same, reported together.
        case snapshot = "within 10 s, after a day, at once"

        /// Whether the goal of one false cause in 1,000 runs applies.
        var isGoal: Bool { self == .spread || self == .start }
    }

    var share: Double
    var onsets: Onsets

    /// The number of runs with a cause, of `runs`. A third of them each have hops that answer to 100, 70 and 50 %.
    func falseRuns(over networks: [Network], runs: Int, seed: UInt64) -> (runs: Int, causes: Int) {
        var random = Seeded(seed)
        var result = (runs: 0, causes: 0)
        let networks = networks.filter { $0.neighbours.count >= 20 }
        var run = 0
        while run < runs, let network = networks.randomElement(using: &random) {
            let root = Int.random(in: network.neighbours.indices, using: &random)
            let answering = [1.0, 0.7, 0.5][run % 3]
            let observation = Observation(of: network, from: root, answering: answering, using: &random)
            guard observation.tree.order.count >= 20 else { continue }
            run += 1
            let down = observation.paths.indices.filter { _ in random.happens(share) }
            let named = named(down, in: observation, using: &random)
            result.causes += named
            if named > 0 { result.runs += 1 }
        }
        return result
    }

    private func named(_ down: [Int], in observation: Observation, using random: inout Seeded) -> Int {
        let start = onsets == .start ? 0.0 : 86_400
        var finder = observation.finder(seconds: onsets == .start ? 0 : 86_400, silent: true)
        let span = onsets == .spread ? 3_600.0 : 10
        let changes = down.map { (time: start + Double.random(in: 0..<span, using: &random), target: $0) }
            .sorted { $0.time < $1.time }
        var named = Set<CommonCause.ID>()
        func note(_ events: [CauseEvent]) {
            for case .named(let id) in events { named.insert(id) }
        }
        if onsets == .start {
            let isDown = Set(down)
            let up = observation.paths.indices.filter { !isDown.contains($0) }
            note(finder.update(up.map { (Target.ID($0), .up) }, at: .zero))
        }
        if onsets == .snapshot {
            let all = changes.map { (Target.ID($0.target), TargetCondition.down(since: .seconds($0.time), .noAnswer)) }
            note(finder.update(all, at: .seconds(start + span)))
        }
        for change in changes where onsets != .snapshot {
            while let deadline = finder.nextDeadline, deadline < .seconds(change.time) {
                note(finder.update([], at: deadline))
            }
            let time = Duration.seconds(change.time)
            note(finder.update([(Target.ID(change.target), .down(since: time, .noAnswer))], at: time))
        }
        while let deadline = finder.nextDeadline { note(finder.update([], at: deadline)) }
        return named.count
    }
}
