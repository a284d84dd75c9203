import ReachMonitoring
import TestSupport
import Testing

@testable import ReachDashboard

/// The tree that is merged from paths.
@Suite struct PathTreeTests {
    /// The tree of these paths, each with its routers and its destination.
    private static func tree(_ paths: [[String?]], down: Set<Int> = [], reaches: Bool = true) -> PathTree {
        let digests = paths.map { path -> PathDigest? in
            path.isEmpty ? nil : PathDigest(.simulated(path, reaches: reaches))
        }
        return PathTree(digests.enumerated().map { ($0, $1) }) { down.contains($0) }
    }

    /// The rows in words, indented by their depth.
    private static func text(_ tree: PathTree, _ folds: PathTreeFolds = PathTreeFolds()) -> [String] {
        tree.rows(folds).map { row in
            let text =
                switch row.kind {
                case .machine: "machine"
                case .hops(let first, let last):
                    [first, last].map { index -> String in
                        guard case .address(let address) = tree.nodes[index].router else { return "*" }
                        return address
                    }.joined(separator: "-") + " \(tree.nodes[last].count)"
                case .targets(let node): "targets \(tree.nodes[node].targets)"
                case .target(let position): "target \(position)"
                case .untraced: "untraced \(tree.untraced)"
                }
            return String(repeating: " ", count: row.depth) + text
        }
    }

    @Test func `paths with common routers are one branch, and chains are one row`() {
        let tree = Self.tree([["a", "b", "c", "x"], ["a", "b", "c", "y"], ["a", "b", "d", "e", "z"], ["q"]])
        #expect(
            Self.text(tree) == [
                "machine", " targets [3]", " a-b 3", "  c-c 2", "   targets [0, 1]", "  d-e 1", "   targets [2]",
            ]
        )
        #expect(tree.nodes[0].count == 4)
    }

    @Test func `a target that is a router of other paths belongs to its node`() {
        let tree = Self.tree([["a"], ["a", "b"], ["a", "b", "c"]])
        #expect(Self.text(tree) == ["machine", " a-a 3", "  targets [0]", "  b-b 2", "   targets [1, 2]"])
    }

    @Test func `hops without an answer are nodes of their own, and those at the end are one`() {
        let tree = Self.tree([["a", nil, "c", "x"], ["a", nil, "c", "y"], ["a", "b", "z"]])
        #expect(
            Self.text(tree) == [
                "machine", " a-a 3", "  *-* 2", "   c-c 2", "    targets [0, 1]", "  b-b 1", "   targets [2]",
            ]
        )
        let ended = Self.tree([["a", "b", nil, nil, nil, nil]], down: [0], reaches: false)
        #expect(Self.text(ended) == ["machine", " a-b 1", "  *-* 1", "   targets [0]"])
        #expect(ended.nodes.map(\.isFault) == [false, false, false, true])
        // Targets that are up may not answer probes of paths.
        let silent = Self.tree([["a", "b", nil, nil]], reaches: false)
        #expect(silent.nodes.allSatisfy { !$0.isFault })
    }

    @Test func `one address at two hops is two nodes, and the routers of a loop are there once`() {
        let tree = Self.tree([["a", "b", "a", "x"]])
        #expect(Self.text(tree) == ["machine", " a-a 1", "  targets [0]"])
        let looping: [String?] = ["a", "b", "c", "b", "c", "b", "c"]
        let loop = Self.tree([looping], reaches: false)
        #expect(loop.nodes.count == 4)
        #expect(loop.nodes.map(\.word.kind) == ["ok", "ok", "loop", "loop"])
        #expect(loop.nodes.map(\.isFault) == [false, false, true, true])
    }

    @Test func `a router that other paths pass is no fault`() {
        let loop = PathDigest(.simulated(["a", "b", "c", "b", "c", "b", "c"], reaches: false))
        let other = PathDigest(.simulated(["a", "b", "d", "x"]))
        let tree = PathTree([(0, loop), (1, other)]) { $0 == 0 }
        #expect(tree.nodes.map(\.isFault) == [false, false, false, true, false])
        #expect(tree.nodes.map(\.loopsForSome) == [false, false, true, false, false])
        // One path ends before a silent router, and another one passes it.
        let ended = PathDigest(.simulated(["a", nil], reaches: false))
        let passing = PathDigest(.simulated(["a", nil, "c", "x"]))
        #expect(PathTree([(0, ended), (1, passing)]) { $0 == 0 }.nodes.allSatisfy { !$0.isFault })
        // The target that is down is not the one whose path ends.
        #expect(PathTree([(0, ended), (1, passing)]) { $0 == 1 }.nodes.allSatisfy { !$0.isFault })
        #expect(PathTree([(0, ended), (1, ended)]) { $0 == 1 }.nodes.last?.isFault == true)
    }

    @Test func `the loss of a router is that of a minute`() {
        var random = SplitMix(seed: 3)
        let destination = PathDestination(address: "192.0.2.1", method: .icmp)
        let times = (0..<12).map { Duration.seconds($0 * 150) }
        let trace = PathTrace.simulated(
            [SimulatedHop("a"), SimulatedHop("b").losing { $0 > .seconds(1_400) }],
            to: destination,
            at: times,
            using: &random
        )
        let tree = PathTree([(0, PathDigest(PathSnapshot(time: .seconds(1_700), trace: trace)))]) { _ in true }
        #expect(tree.nodes.dropFirst().map { PathFigures($0).loss } == [0, 1])
    }

    @Test func `hops that lose packets are not folded, and the row of a chain has its largest loss`() {
        var random = SplitMix(seed: 3)
        let times = (0..<100).map { Duration.seconds($0) }
        func tree(_ hops: [SimulatedHop]) -> PathTree {
            let trace = PathTrace.simulated(
                hops + [.end("x").losing { $0.components.seconds.isMultiple(of: 3) }],
                to: PathDestination(address: "x", method: .icmp),
                at: times,
                isWatched: true,
                using: &random
            )
            return PathTree([(0, PathDigest(PathSnapshot(time: .seconds(100), trace: trace)))]) { _ in false }
        }
        let loses = { (hop: String) in SimulatedHop(hop).losing { $0.components.seconds.isMultiple(of: 3) } }
        let lossy = tree([SimulatedHop("a"), SimulatedHop("b"), loses("c"), loses("d")])
        #expect(Self.text(lossy) == ["machine", " a-b 1", "  c-c 1", "   d-d 1", "    targets [0]"])
        let once = tree([SimulatedHop("a"), SimulatedHop("b").losing { $0 == .seconds(70) }, SimulatedHop("c")])
        #expect(Self.text(once) == ["machine", " a-c 1", "  targets [0]"])
        #expect(PathFigures(once, chainFrom: 1, to: 3).loss == PathFigures(once.nodes[2]).loss)
        #expect(PathFigures(once.nodes[3]).loss == 0 && PathFigures(once.nodes[2]).loss ?? 0 > 0)
    }

    @Test func `the paths of IPv4 and of IPv6 are two branches`() {
        let tree = Self.tree([["10.0.0.1", "192.0.2.1"], ["fe80::1", "2001:db8::1"]])
        #expect(tree.nodes[0].children.count == 2)
        #expect(tree.nodes[0].count == 2)
    }

    @Test func `targets without a known path are at the end`() {
        let tree = Self.tree([["a", "x"], [], []])
        #expect(Self.text(tree) == ["machine", " a-a 1", "  targets [0]", " untraced [1, 2]"])
        #expect(Self.text(PathTree()) == ["machine"])
    }

    @Test func `rows fold and unfold`() {
        var state = PathTreeState()
        let ids = { (position: Int) in Target.ID(position) }
        let tree = Self.tree([["a", "b", "c", "x"], ["a", "b", "c", "y"], ["d", "z"]])
        state.replace(tree, PathTreeState.Basis(), ids)
        #expect(Self.text(tree, state.folds) == ["machine", " a-c 2", "  targets [0, 1]", " d-d 1", "  targets [2]"])
        state.select(1, ids)
        let unfolds1 = state.unfold(ids)
        #expect(unfolds1)
        #expect(
            Self.text(tree, state.folds).prefix(5)
                == ["machine", " a-a 2", "  b-b 2", "   c-c 2", "    targets [0, 1]"]
        )
        #expect(state.index == 1)
        state.fold(ids)
        #expect(Self.text(tree, state.folds).dropFirst().first == " a-c 2" && state.index == 1)
        state.fold(ids)
        #expect(Self.text(tree, state.folds) == ["machine", " a-c 2", " d-d 1", "  targets [2]"])
        state.fold(ids)
        #expect(state.index == 0)
        state.select(1, ids)
        let unfolds2 = state.unfold(ids)
        #expect(unfolds2)
        state.select(2, ids)
        let unfolds3 = state.unfold(ids)
        #expect(unfolds3)
        #expect(
            Self.text(tree, state.folds).dropFirst(2).prefix(3) == ["  targets [0, 1]", "   target 0", "   target 1"]
        )
        let unfolds4 = state.unfold(ids)
        #expect(!unfolds4)
    }

    @Test func `the selection keeps its row when the tree changes`() {
        var state = PathTreeState()
        let ids = { (position: Int) in Target.ID(position) }
        func show(_ paths: [[String?]]) {
            state.replace(Self.tree(paths), PathTreeState.Basis(), ids)
        }
        func selected() -> String { Self.text(state.tree, state.folds)[state.index] }
        show([["a", "b", "x"], ["a", "c", "y"]])
        state.select(4, ids)
        #expect(selected() == "  c-c 1")
        // A path more above it.
        show([["a", "b", "x"], ["a", "c", "y"], ["0", "1"]])
        show([["0", "1"], ["a", "b", "x"], ["a", "c", "y"]])
        #expect(selected() == "  c-c 1")
        // The hop joins a chain.
        show([["0", "1"], ["a", "c", "y"]])
        #expect(selected() == " a-c 1")
        // It is gone, and is back with the next paths.
        show([["0", "1"], ["a", "b", "x"]])
        #expect(selected() == " a-b 1")
        show([["0", "1"], ["a", "b", "x"], ["a", "c", "y"]])
        #expect(selected() == "  c-c 1")
        state.select(5, ids)
        #expect(selected() == "   targets [1]")
        show([["a", "b", "x"], ["0", "1"], ["a", "c", "y"]])
        #expect(selected() == "   targets [0]")
        show([])
        #expect(state.index == 0)
    }

    @Test func `ten thousand paths are merged quickly`() {
        let paths = (0..<10_000).map { target -> PathDigest? in
            PathDigest(.simulated(["a", "b\(target % 10)", "c\(target % 1_000)", "x\(target)"]))
        }
        var tree = PathTree()
        let time = ContinuousClock().measure {
            tree = PathTree(paths.enumerated().map { ($0, $1) }) { _ in false }
            _ = tree.rows(PathTreeFolds())
        }
        #expect(tree.nodes.count == 1 + 1 + 10 + 1_000)
        // A build for tests takes several times as long as one for users.
        #expect(time < .seconds(3), "\(time)")
    }
}
