import ReachMonitoring

/// The paths to all targets, merged from this machine on: routers that paths have in common are one node.
struct PathTree: Sendable {
    /// What tells a node from its siblings.
    enum Router: Sendable, Hashable {
        case address(String)
        /// A hop that does not answer.
        case silent
    }

    /// The routers from this machine to a node, which it keeps when the tree changes.
    typealias NodeID = [Router]

    /// A router, or this machine at index zero.
    struct Node: Sendable {
        let router: Router
        let parent: Int
        /// The number of hops from this machine.
        let depth: Int
        /// The routers behind it, in the order of their first targets.
        fileprivate(set) var children: [Int] = []
        /// The positions of the targets directly behind it, or behind which their paths end.
        fileprivate(set) var targets: [Int] = []
        /// The number of targets behind it.
        fileprivate(set) var count = 0
        /// The number of paths through it.
        fileprivate(set) var paths = 0
        /// The number of those that end before it.
        fileprivate(set) var ended = 0
        /// The number of those whose targets are down.
        fileprivate(set) var cut = 0
        /// The number of paths with a loop here.
        fileprivate(set) var loops = 0
        /// The word of most weight that a path has for it. A loop counts only if all paths through the router loop.
        fileprivate(set) var word = HopWord.ok
        /// Whether a path has probed it, or shares it.
        fileprivate(set) var isProbed = false
        /// The newest results of all paths through it, oldest first.
        fileprivate(set) var results: [PathResult] = []
        /// The name of the router; nil if it is not known.
        fileprivate(set) var name: String?
        /// The number of its autonomous system; nil if it is not known.
        fileprivate(set) var system: UInt32?

        /// Whether it is shown as a fault: packets are lost or loop here, or all paths end before it and targets behind it
        /// are down. A router that other paths pass is none.
        var isFault: Bool { word.isFault || ended == paths && cut > 0 }

        /// Whether packets to some targets loop here, and those to others pass.
        var loopsForSome: Bool { loops > 0 && loops < paths }
    }

    /// The nodes; each is after its parent.
    private(set) var nodes = [Node(router: .silent, parent: 0, depth: 0)]
    private var index: [Edge: Int] = [:]
    /// The positions of the targets whose paths are not known yet.
    private(set) var untraced: [Int] = []

    private struct Edge: Sendable, Hashable {
        let parent: Int
        let router: Router
    }

    /// The most results that a node keeps: more than a router gets in an hour, which has one probe a second.
    private static let maxResults = 4_096
    /// The time until the newest result from whose results figures are computed.
    static let recent = Duration.seconds(60)

    /// Creates a tree without paths.
    init() {}

    /// Merges paths.
    ///
    /// - Parameters:
    ///   - paths: the paths by the positions of their targets in the target states; nil for one that is not known yet.
    ///   - isDown: whether the target at a position is down.
    init(_ paths: some Sequence<(position: Int, path: PathDigest?)>, isDown: (Int) -> Bool) {
        var ends: [(position: Int, node: Int, destination: String)] = []
        for (position, path) in paths {
            guard let path else {
                untraced.append(position)
                continue
            }
            ends.append((position, add(path.steps, isDown: isDown(position)), path.destination))
        }
        for (position, node, destination) in ends {
            // A target that is a router of other paths belongs to its node.
            let own = index[Edge(parent: node, router: .address(destination))] ?? node
            nodes[own].targets.append(position)
            nodes[own].count += 1
        }
        for node in nodes.indices.dropFirst().reversed() {
            nodes[nodes[node].parent].count += nodes[node].count
            if nodes[node].loops > 0, nodes[node].loops == nodes[node].paths { nodes[node].word = .loop }
            sortResults(of: node)
        }
    }

    /// Adds the routers of a path. Returns the last node.
    private mutating func add(_ steps: [PathDigest.Step], isDown: Bool) -> Int {
        var node = 0
        for step in steps {
            let edge = Edge(parent: node, router: step.router)
            if let known = index[edge] {
                node = known
            } else {
                nodes.append(Node(router: step.router, parent: node, depth: nodes[node].depth + 1))
                nodes[node].children.append(nodes.count - 1)
                node = nodes.count - 1
                index[edge] = node
                nodes[node].word = .silent
            }
            nodes[node].paths += 1
            if step.word == .loop {
                nodes[node].loops += 1
            } else if step.word.weight > nodes[node].word.weight {
                nodes[node].word = step.word
            }
            if step.isBeyondEnd {
                nodes[node].ended += 1
                if isDown { nodes[node].cut += 1 }
            }
            nodes[node].name = nodes[node].name ?? step.name
            nodes[node].system = nodes[node].system ?? step.system
            if let results = step.results { nodes[node].results += results }
            if step.isProbed { nodes[node].isProbed = true }
        }
        return node
    }

    private mutating func sortResults(of node: Int) {
        nodes[node].results.sort { $0.sent < $1.sent }
        let excess = nodes[node].results.count - Self.maxResults
        if excess > 0 { nodes[node].results.removeFirst(excess) }
    }

    // MARK: Identity

    /// The identity of a node.
    func id(of node: Int) -> NodeID {
        var (routers, node): (NodeID, Int) = ([], node)
        while node > 0 {
            routers.append(nodes[node].router)
            node = nodes[node].parent
        }
        return routers.reversed()
    }

    /// The node with an identity; nil if there is none.
    func node(_ id: NodeID) -> Int? {
        var node = 0
        for router in id {
            guard let next = index[Edge(parent: node, router: router)] else { return nil }
            node = next
        }
        return node
    }

    /// The node with an identity, or the last one on the way there.
    func nearestNode(_ id: NodeID) -> Int {
        var node = 0
        for router in id {
            guard let next = index[Edge(parent: node, router: router)] else { break }
            node = next
        }
        return node
    }

    /// The positions of all targets behind a node.
    func targets(behind node: Int) -> [Int] {
        nodes[node].targets + nodes[node].children.flatMap { targets(behind: $0) }
    }

    /// The last hop of the chain that begins at a node: the following hops have the same targets and the same word. A hop that
    /// loses packets has a row of its own.
    func chainEnd(from first: Int) -> Int {
        var node = first
        guard !nodes[first].word.isFault else { return node }
        while nodes[node].targets.isEmpty, nodes[node].children.count == 1 {
            let next = nodes[node].children[0]
            guard nodes[next].word.kind == nodes[first].word.kind, nodes[next].isFault == nodes[first].isFault,
                nodes[next].loopsForSome == nodes[first].loopsForSome
            else { break }
            node = next
        }
        return node
    }
}

extension HopWord {
    /// The weight of a word among those of several paths for one hop. The heaviest is shown.
    fileprivate var weight: Int {
        switch self {
        // It is counted apart.
        case .loop: 0
        case .loses(let percent): 500 + percent
        case .slow: 60
        case .answersForAnotherAddress: 50
        case .changed: 40
        case .limitsAnswers: 30
        // A path that has an answer of the hop knows more.
        case .silent: 0
        case .ok: 10
        }
    }
}

/// The share of losses and the median round trip of some results.
struct PathFigures: Sendable, Hashable {
    /// The share of losses, 0…1; nil without results.
    let loss: Double?
    /// The median round trip; nil without a reply.
    let median: Duration?

    init(roundTrips: [Int64], losses: Int) {
        let count = roundTrips.count + losses
        loss = count == 0 ? nil : Double(losses) / Double(count)
        median = roundTrips.isEmpty ? nil : .nanoseconds(roundTrips.sorted()[(roundTrips.count - 1) / 2])
    }

    /// The figures of the results of a node in the minute until the newest one. Older ones would hide that a router has
    /// become silent.
    init(_ node: PathTree.Node) {
        let start = node.results.last.map { $0.sent - PathTree.recent }
        let recent = node.results.reversed().prefix { result in start.map { result.sent > $0 } ?? false }
        self.init(roundTrips: recent.compactMap { $0.roundTrip?.nanoseconds }, losses: recent.count { $0.isLost })
    }

    /// The figures of the last hop of a chain, with the largest loss of its hops: the row hides none.
    init(_ tree: PathTree, chainFrom first: Int, to last: Int) {
        let figures = PathFigures(tree.nodes[last])
        var (losses, node) = ([figures.loss], last)
        while node != first {
            node = tree.nodes[node].parent
            losses.append(PathFigures(tree.nodes[node]).loss)
        }
        (loss, median) = (losses.compactMap(\.self).max(), figures.median)
    }

    /// The figures of the probes of the targets at some positions in the minute until the newest one of each. Of many
    /// targets, each counts with its newest one.
    init(_ positions: [Int], of states: TargetStates) {
        let isMany = positions.count > 100
        var (roundTrips, losses): ([Int64], Int) = ([], 0)
        for position in positions where states[position].isProbed {
            let history = states[position].history
            guard let newest = history.last else { continue }
            for sample in isMany ? history.suffix(1) : history.since(newest.time - PathTree.recent) {
                if sample.isLoss { losses += 1 } else { roundTrips.append(sample.nanoseconds ?? 0) }
            }
        }
        self.init(roundTrips: roundTrips, losses: losses)
    }
}
