import ReachMonitoring

/// What an observer at a node knows: two targets at each node, and the path to each.
struct Observation {
    let tree: Tree
    /// Whether each node answers traces.
    let answers: [Bool]
    /// The node of each target.
    var nodes: [Int] = []
    /// The nodes on the way to each target.
    var paths: [[Int]] = []

    static let interval = Duration.seconds(10)

    init(of network: Network, from root: Int, answering share: Double, using random: inout Seeded) {
        tree = network.tree(from: root, using: &random)
        answers = network.neighbours.map { _ in random.happens(share) }
        for node in tree.order {
            let path = tree.path(to: node)
            for _ in 0..<2 {
                nodes.append(node)
                paths.append(path)
            }
        }
    }

    static func address(of node: Int) -> String { "10.\(node >> 16).\((node >> 8) & 255).\(node & 255)" }

    func risks(of target: Int, silent: Bool) -> TargetRisks {
        let hops = paths[target].map { answers[$0] ? Self.address(of: $0) : nil }
        // Without silent positions, as in plain SCORE.
        return TargetRisks(path: silent ? hops : hops.filter { $0 != nil }, interval: Self.interval)
    }

    /// A finder that knows all targets, and has seen them up for a day or not at all.
    func finder(seconds: Int, silent: Bool) -> CauseFinder {
        var finder = CauseFinder(confirmsHops: false)
        for target in paths.indices {
            _ = finder.setRisks(risks(of: target, silent: silent), of: Target.ID(target), at: .zero)
        }
        guard seconds > 0 else { return finder }
        _ = finder.update(paths.indices.map { (Target.ID($0), .up) }, at: .zero)
        _ = finder.update([], at: .seconds(seconds))
        return finder
    }

    /// How a fault of a node appears: the hop, or its silent position.
    func place(of fault: Int) -> Risk {
        guard !answers[fault] else { return .hop(Self.address(of: fault)) }
        var (number, node) = (1, tree.parents[fault])
        while node != tree.root, !answers[node] { (number, node) = (number + 1, tree.parents[node]) }
        return .silent(SilentPosition(after: node == tree.root ? nil : Self.address(of: node), number: number))
    }
}
