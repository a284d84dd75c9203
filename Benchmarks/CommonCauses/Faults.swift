import ReachMonitoring

/// A row of the table: faults at once in a network whose hops answer to a share.
struct FaultRow {
    var share: Double
    var faults: Int
    /// Whether the finder uses silent positions.
    var silent = true
    /// Whether one link in twenty was rerouted after the paths were taken.
    var moved = false
    /// How long the finder has seen the targets up, in seconds. Unrelated outages begin in its last hour.
    var seconds = 86_400
    /// Whether a fault may be behind another, where it is not seen.
    var nested = false
    /// Whether each outage is reported as it is seen, in place of all at once.
    var stepwise = false
    /// Whether unrelated outages begin together with the faults.
    var simultaneous = false
}

/// The results of a row.
struct FaultResult {
    var runs = 0
    /// The causes that are named are those of the faults, and no others.
    var exact = 0
    /// The same, and each is named alone, and no two faults have the same place.
    var strict = 0
    /// A named cause explains outages of a fault, at another place than the fault's.
    var misplacedRuns = 0
    /// At least half of the outages that a named cause explains are not of any fault.
    var falseRuns = 0
    var missed = 0
    /// The number of times that a cause was named.
    var named = 0
    var faults = 0
    var networks = Set<String>()
}

extension FaultRow {
    func result(over networks: [Network], runs: Int, seed: UInt64) -> FaultResult {
        var result = FaultResult()
        var random = Seeded(seed)
        for network in networks where network.neighbours.count >= 20 {
            for _ in 0..<runs { run(network, &result, &random) }
        }
        return result
    }

    private func run(_ network: Network, _ result: inout FaultResult, _ random: inout Seeded) {
        let root = Int.random(in: network.neighbours.indices, using: &random)
        let old = Observation(of: network, from: root, answering: share, using: &random)
        guard old.tree.order.count >= 20 else { return }
        // The way of the packets when the fault happens.
        let ways = moved ? rerouted(old, in: network, using: &random) : old.paths
        guard let faults = place(in: old, using: &random) else { return }
        let seen = faults.filter { fault in !old.tree.path(to: fault).dropLast().contains(where: faults.contains) }

        var finder = old.finder(seconds: seconds, silent: silent)
        let start = Double(seconds)
        var unrelated: [(time: Double, target: Int)] = []
        var related: [(time: Double, target: Int)] = []
        for target in old.paths.indices {
            let onset = start + 1 + Double.random(in: 0..<10, using: &random)
            if ways[target].contains(where: faults.contains) { related.append((onset, target)) }
            guard random.happens(0.01) else { continue }
            let before = Double.random(in: max(0, start - 3_600)...start, using: &random)
            unrelated.append((simultaneous ? onset : before, target))
        }
        let earlier = unrelated.filter { $0.time < start }.sorted { $0.time < $1.time }
        if seconds == 0 { finder = old.started(silent: silent) }
        if !earlier.isEmpty, seconds > 0 {
            finder = old.finder(seconds: max(0, seconds - 3_600), silent: silent)
            for event in earlier {
                _ = finder.update(
                    [(Target.ID(event.target), .down(since: .seconds(event.time), .noAnswer))],
                    at: .seconds(event.time)
                )
            }
        }
        let isDown = Set(earlier.map(\.target))
        var last: [Int: Double] = [:]
        for event in related + unrelated where !isDown.contains(event.target) { last[event.target] = event.time }
        let events = report(last, to: &finder, at: start + 14)
        for case .named in events { result.named += 1 }
        score(finder, faults: seen, related: Set(related.map(\.target)), in: old, &result)
        result.networks.insert(network.name)
    }

    /// Reports outages: all at once, or each as it is seen. Then a target is failing for two seconds before it is down.
    private func report(_ onsets: [Int: Double], to finder: inout CauseFinder, at end: Double) -> [CauseEvent] {
        let sorted = onsets.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        let outages = sorted.map { target, onset in
            (Target.ID(target), TargetCondition.down(since: .seconds(onset), .noAnswer))
        }
        var events: [CauseEvent] = []
        if stepwise {
            let failures = sorted.map {
                (time: $0.value, target: Target.ID($0.key), condition: TargetCondition.failing)
            }
            let verdicts = zip(sorted, outages).map { (time: $0.value + 2, target: $1.0, condition: $1.1) }
            for change in (failures + verdicts).sorted(by: { $0.time < $1.time }) {
                while let deadline = finder.nextDeadline, deadline < .seconds(change.time) {
                    events += finder.update([], at: deadline)
                }
                events += finder.update([(change.target, change.condition)], at: .seconds(change.time))
            }
        } else {
            events += finder.update(outages, at: .seconds(end))
        }
        while let deadline = finder.nextDeadline { events += finder.update([], at: deadline) }
        return events
    }

    /// The paths after one link in twenty failed: those that used it take the shortest way around it.
    private func rerouted(_ old: Observation, in network: Network, using random: inout Seeded) -> [[Int]] {
        let remaining = network.removingEdges(oneIn: 20, using: &random)
        let now = remaining.tree(from: old.tree.root, using: &random)
        return zip(old.nodes, old.paths).map { node, path in
            var previous = old.tree.root
            for hop in path {
                let isGone = !remaining.neighbours[previous].contains(hop)
                if isGone, now.parents[node] >= 0 { return now.path(to: node) }
                previous = hop
            }
            return path
        }
    }

    /// Nodes with at least three targets behind them, other than the observer's.
    private func place(in observation: Observation, using random: inout Seeded) -> Set<Int>? {
        let sizes = observation.tree.sizes
        let nodes = observation.tree.order.filter { $0 != observation.tree.root && sizes[$0] >= 2 }
        guard nodes.count >= faults else { return nil }
        for _ in 0..<200 {
            let faults = Set(nodes.shuffled(using: &random).prefix(faults))
            let isNested = faults.contains { fault in
                observation.tree.path(to: fault).dropLast().contains(where: faults.contains)
            }
            if nested || !isNested { return faults }
        }
        return nil
    }

    private func score(
        _ finder: CauseFinder,
        faults: Set<Int>,
        related: Set<Int>,
        in observation: Observation,
        _ result: inout FaultResult
    ) {
        let causes = finder.causes
        let places = Set(faults.map { observation.place(of: $0) })
        let found = places.filter { place in causes.contains { $0.accused.contains(place) } }
        result.runs += 1
        result.faults += places.count
        result.missed += places.count - found.count
        let wrong = causes.filter { cause in !cause.accused.contains(where: places.contains) }
        let isFalse = { (cause: CommonCause) in
            let explained = finder.targets(explainedBy: cause.id)
            return explained.filter { related.contains($0.rawValue) }.count * 2 <= explained.count
        }
        if wrong.contains(where: { !isFalse($0) }) { result.misplacedRuns += 1 }
        if causes.contains(where: isFalse) { result.falseRuns += 1 }
        guard causes.count == places.count, found.count == places.count else { return }
        result.exact += 1
        if places.count == faults.count, causes.allSatisfy({ $0.accused.count == 1 }) { result.strict += 1 }
    }
}

extension Observation {
    /// A finder that has just started, and found the targets up.
    func started(silent: Bool) -> CauseFinder {
        var finder = finder(seconds: 0, silent: silent)
        _ = finder.update(paths.indices.map { (Target.ID($0), .up) }, at: .zero)
        return finder
    }
}
