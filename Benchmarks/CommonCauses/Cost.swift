import ReachMonitoring
import Foundation

/// Processor time with ten thousand targets: 5,000 routers in a tree, two targets at each, nine of ten hops answer.
/// Each target also has a gateway, a link, a resolver, a subnet, a group and an address.
struct CostMeasurement {
    let observation: Observation
    let risks: [TargetRisks]

    init(seed: UInt64) {
        var random = Seeded(seed)
        var edges: [(Int, Int)] = []
        for node in 1..<5_000 {
            edges.append((node, Int.random(in: max(0, node / 4 - 8)..<max(1, node / 2), using: &random)))
        }
        let network = Network(name: "10,000 targets", nodes: 5_000, edges: edges)
        observation = Observation(of: network, from: 0, answering: 0.9, using: &random)
        let observation = observation
        risks = observation.paths.indices.map { target in
            var risks = observation.risks(of: target, silent: true)
            risks.others = [
                .gateway("192.168.1.1"), .link("eth0"), .resolver("192.168.1.1"), .subnet("10.\(target / 50).0.0/24"),
                .group("group \(target / 100)"), .address("\(target / 2)"),
            ]
            return risks
        }
    }

    var averageRisks: Double { Double(risks.reduce(0) { $0 + $1.path.count + $1.others.count }) / Double(risks.count) }

    private func finder() -> CauseFinder {
        var finder = CauseFinder(confirmsHops: false)
        for (target, risks) in risks.enumerated() { _ = finder.setRisks(risks, of: Target.ID(target), at: .zero) }
        _ = finder.update(risks.indices.map { (Target.ID($0), .up) }, at: .zero)
        _ = finder.update([], at: .seconds(86_400))
        return finder
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The least and the median milliseconds of one call. Others use the machine too, so the least is the cost.
    private func text(_ times: [Double]) -> String {
        let sorted = times.sorted()
        return String(format: "%.2f ms (median %.2f)", sorted[0] * 1e3, sorted[sorted.count / 2] * 1e3)
    }

    private static let start = Duration.seconds(86_401)

    /// All these targets go down in one call.
    private func atOnce(_ name: String, _ down: [Int], repeats: Int = 9) -> String {
        var times: [Double] = []
        var causes = 0
        var explained = 0
        for _ in 0..<repeats {
            var finder = finder()
            let changes = down.map {
                (target: Target.ID($0), condition: TargetCondition.down(since: Self.start, .noAnswer))
            }
            let before = Self.processorTime()
            _ = finder.update(changes, at: Self.start)
            times.append(Self.processorTime() - before)
            causes = finder.causes.count
            explained = finder.causes.reduce(0) { $0 + $1.explained }
        }
        return String(format: "%@: %@, %d causes, %d of %d outages", name, text(times), causes, explained, down.count)
    }

    /// One target after the other changes, each in a call of its own.
    private func oneByOne(_ name: String, base: [Int], changed: [Int], to condition: TargetCondition) -> String {
        var finder = finder()
        _ = finder.update(base.map { (Target.ID($0), .down(since: Self.start, .noAnswer)) }, at: Self.start)
        var worst = 0.0
        let before = Self.processorTime()
        var last = before
        for (count, target) in changed.enumerated() {
            _ = finder.update([(Target.ID(target), condition)], at: Self.start + .milliseconds(count + 1))
            let now = Self.processorTime()
            worst = max(worst, now - last)
            last = now
        }
        let each = (last - before) / Double(changed.count) * 1e6
        return String(
            format: "%@: %.1f µs a change, at most %.0f µs (%d changes)",
            name,
            each,
            worst * 1e6,
            changed.count
        )
    }

    /// The risks of all targets, for the first time and again, as after new traces.
    private func setting() -> String {
        var finder = CauseFinder(confirmsHops: false)
        var times: [Double] = []
        for round in 0..<2 {
            let before = Self.processorTime()
            for (target, risks) in risks.enumerated() {
                _ = finder.setRisks(risks, of: Target.ID(target), at: .seconds(round))
            }
            times.append((Self.processorTime() - before) / Double(risks.count) * 1e6)
        }
        return String(format: "risks of a target: %.1f µs at first, %.1f µs later", times[0], times[1])
    }

    func lines(seed: UInt64) -> [String] {
        var random = Seeded(seed)
        let all = Array(risks.indices)
        let shuffled = all.shuffled(using: &random)
        let sizes = observation.tree.sizes
        // Routers with 20 to 60 targets behind them, none behind another.
        var racks = Set<Int>()
        for node in observation.tree.order where (10...30).contains(sizes[node]) {
            if !observation.tree.path(to: node).contains(where: racks.contains) { racks.insert(node) }
        }
        let racked = all.filter { observation.paths[$0].contains(where: racks.contains) }
        let down = TargetCondition.down(since: Self.start, .noAnswer)
        return [
            String(format: "%.1f risks a target", averageRisks),
            setting(),
            atOnce("all down at once", all),
            atOnce("\(racks.count) routers down at once", racked),
            atOnce("2,000 of 10,000 down, independent", Array(shuffled.prefix(2_000))),
            oneByOne("all go down, one by one", base: [], changed: shuffled, to: down),
            oneByOne("all return, one by one", base: all, changed: shuffled, to: .up),
            oneByOne("\(racks.count) routers, one by one", base: [], changed: racked, to: down),
            oneByOne("one more, nothing else down", base: [], changed: Array(shuffled.prefix(1)), to: down),
            oneByOne(
                "1 % down, one more",
                base: Array(shuffled.prefix(100)),
                changed: Array(shuffled[100..<200]),
                to: down
            ),
            oneByOne(
                "20 % down, one more",
                base: Array(shuffled.prefix(2_000)),
                changed: Array(shuffled[2_000..<2_100]),
                to: down
            ),
            oneByOne(
                "20 % down, one returns",
                base: Array(shuffled.prefix(2_000)),
                changed: Array(shuffled[0..<100]),
                to: .up
            ),
        ]
    }
}
