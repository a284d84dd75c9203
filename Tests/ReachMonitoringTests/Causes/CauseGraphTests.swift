import TestSupport
import Testing

@testable import ReachMonitoring

/// Faults in generated trees of routers with two targets each: how often the causes are exactly the faults. The goals are those
/// of the benchmark on real graphs.
struct CauseGraphTests {
    /// A tree of routers. The observer is at router zero.
    private struct Tree {
        var parents = [0]
        var answers = [true]

        init(routers: Int, answering share: Double, using random: inout SplitMix) {
            for router in 1..<routers {
                // Shallow and wide near the observer, as networks are.
                parents.append(Int.random(in: max(0, router / 8)..<router, using: &random))
                answers.append(Double.random(in: 0..<1, using: &random) < share)
            }
        }

        func path(to router: Int) -> [Int] {
            router == 0 ? [] : path(to: parents[router]) + [router]
        }

        private func address(of router: Int) -> String { "10.1.\(router >> 8).\(router & 255)" }

        func hops(to router: Int) -> [String?] {
            path(to: router).map { answers[$0] ? address(of: $0) : nil }
        }

        /// What an observer can know about the place of a fault.
        func place(of fault: Int) -> Risk {
            guard !answers[fault] else { return .hop(address(of: fault)) }
            let silent = path(to: fault).reversed().prefix { !answers[$0] }
            let first = silent.last ?? fault
            let previous = parents[first] == 0 ? nil : address(of: parents[first])
            return .silent(SilentPosition(after: previous, number: silent.count))
        }

        /// Random routers with at least three targets behind, none behind another.
        func faults(_ count: Int, using random: inout SplitMix) -> [Int]? {
            var faults: [Int] = []
            for router in parents.indices.dropFirst().shuffled(using: &random) {
                let isApart = !faults.contains { path(to: router).contains($0) || path(to: $0).contains(router) }
                guard isApart, parents.indices.count(where: { path(to: $0).contains(router) }) > 1 else { continue }
                faults.append(router)
                if faults.count == count { return faults }
            }
            return nil
        }
    }

    /// Whether the causes of a run are exactly the places of the faults.
    private static func isExact(_ tree: Tree, _ faults: [Int], using random: inout SplitMix) -> Bool {
        var network = TestNetwork()
        for router in tree.parents.indices {
            network.add([router * 2, router * 2 + 1], path: tree.hops(to: router))
        }
        network.wait(86_400)
        // Some targets are down for reasons of their own.
        let targets = Set(tree.parents.indices.flatMap { [$0 * 2, $0 * 2 + 1] })
        let unrelated = targets.filter { _ in Int.random(in: 0..<100, using: &random) == 0 }
        for target in unrelated.sorted() {
            network.down([target])
            network.wait(60)
        }
        network.wait(600)
        let behind = targets.filter { !Set(tree.path(to: $0 / 2)).isDisjoint(with: faults) }.subtracting(unrelated)
        network.down(behind.sorted())
        network.wait(60)
        let places = Set(faults.map { tree.place(of: $0) })
        let causes = network.finder.causes
        return causes.count == places.count
            && places.allSatisfy { place in causes.contains { $0.stage == .named && $0.accused.contains(place) } }
    }

    @Test(arguments: [
        (1.0, 1, 99), (1.0, 2, 98), (1.0, 3, 95), (0.7, 1, 99), (0.7, 2, 88), (0.7, 3, 75), (0.5, 1, 99), (0.5, 2, 72),
        (0.5, 3, 55),
    ])
    func `most causes in generated trees are exactly the faults`(share: Double, faults: Int, goal: Int) {
        var random = SplitMix(seed: UInt64(faults) * 10 + UInt64(share * 10))
        var (runs, exact) = (0, 0)
        while runs < 150 {
            let tree = Tree(routers: Int.random(in: 20...60, using: &random), answering: share, using: &random)
            guard let places = tree.faults(faults, using: &random) else { continue }
            runs += 1
            if Self.isExact(tree, places, using: &random) { exact += 1 }
        }
        #expect(exact * 100 >= runs * goal, "\(exact) of \(runs)")
    }

    @Test func `independent outages have no cause`() {
        var random = SplitMix(seed: 5)
        var named = 0
        for _ in 0..<200 {
            let tree = Tree(routers: 40, answering: 0.7, using: &random)
            var network = TestNetwork()
            for router in tree.parents.indices {
                network.add([router * 2, router * 2 + 1], path: tree.hops(to: router))
            }
            network.wait(86_400)
            for target in (0..<80).shuffled(using: &random).prefix(8) {
                network.down([target])
                network.wait(Double.random(in: 1..<900, using: &random))
            }
            named += network.finder.causes.count { $0.stage == .named }
        }
        #expect(named <= 1)
    }
}
