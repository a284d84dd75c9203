import ReachMonitoring

/// A row of the tree of paths.
struct PathTreeRow: Sendable, Hashable {
    /// What a row shows.
    enum Kind: Sendable, Hashable {
        /// This machine, at the root.
        case machine
        /// A router, or a chain of them that is folded: the first and the last node.
        case hops(Int, Int)
        /// The targets directly behind a node.
        case targets(behind: Int)
        /// One of them, by its position, while they are listed.
        case target(Int)
        /// The targets whose paths are not known yet.
        case untraced
    }

    let kind: Kind
    /// The number of ancestors with a guide line.
    let depth: Int
    /// The ancestors that have further rows below: bit 0 is the one beside the root.
    let guides: UInt64
    /// Whether it is the last row below its parent.
    let isLast: Bool
    /// Whether it has rows that are folded.
    var isFolded = false
}

extension PathTreeRow {
    /// The identity of a row, which stays the same when the tree changes.
    enum ID: Sendable, Hashable {
        case hop(PathTree.NodeID)
        case targets(behind: PathTree.NodeID)
        case target(Target.ID)
        case untraced
    }
}

/// What the user has folded and unfolded in the tree of paths.
struct PathTreeFolds: Sendable, Hashable {
    /// The nodes whose rows below are hidden.
    var closed: Set<PathTree.NodeID> = []
    /// The nodes whose chain is unfolded.
    var chains: Set<PathTree.NodeID> = []
    /// The nodes whose targets are listed.
    var lists: Set<PathTree.NodeID> = []
}

extension PathTree {
    /// The rows of the tree.
    func rows(_ folds: PathTreeFolds) -> [PathTreeRow] {
        var builder = RowBuilder(tree: self, folds)
        builder.addMachine()
        return builder.rows
    }

    /// Lists the rows from the root on.
    private struct RowBuilder {
        let tree: PathTree
        private let closed: Set<Int>
        private let chains: Set<Int>
        private let lists: Set<Int>
        private(set) var rows: [PathTreeRow] = []

        init(tree: PathTree, _ folds: PathTreeFolds) {
            self.tree = tree
            closed = Set(folds.closed.compactMap(tree.node))
            chains = Set(folds.chains.compactMap(tree.node))
            lists = Set(folds.lists.compactMap(tree.node))
        }

        mutating func addMachine() {
            rows.append(PathTreeRow(kind: .machine, depth: 0, guides: 0, isLast: true, isFolded: closed.contains(0)))
            if !closed.contains(0) { addRows(below: 0, depth: 1, guides: 0) }
        }

        private mutating func addRows(below node: Int, depth: Int, guides: UInt64) {
            let (targets, children) = (tree.nodes[node].targets, tree.nodes[node].children)
            let hasUntraced = node == 0 && !tree.untraced.isEmpty
            let count = (targets.isEmpty ? 0 : 1) + children.count + (hasUntraced ? 1 : 0)
            var added = 0
            func isLast() -> Bool {
                added += 1
                return added == count
            }
            if !targets.isEmpty {
                let last = isLast()
                let isList = lists.contains(node)
                rows.append(
                    PathTreeRow(
                        kind: .targets(behind: node),
                        depth: depth,
                        guides: guides,
                        isLast: last,
                        isFolded: targets.count > 1 && !isList
                    )
                )
                if isList, targets.count > 1 { addList(targets, depth + 1, last ? guides : guides.continued(depth)) }
            }
            for child in children {
                let last = isLast()
                let end = chains.contains(child) ? child : tree.chainEnd(from: child)
                let isClosed = closed.contains(end)
                rows.append(
                    PathTreeRow(
                        kind: .hops(child, end),
                        depth: depth,
                        guides: guides,
                        isLast: last,
                        isFolded: isClosed || child != end
                    )
                )
                if !isClosed { addRows(below: end, depth: depth + 1, guides: last ? guides : guides.continued(depth)) }
            }
            guard hasUntraced else { return }
            rows.append(PathTreeRow(kind: .untraced, depth: depth, guides: guides, isLast: true))
        }

        private mutating func addList(_ targets: [Int], _ depth: Int, _ guides: UInt64) {
            for (index, position) in targets.enumerated() {
                let isLast = index == targets.count - 1
                rows.append(PathTreeRow(kind: .target(position), depth: depth, guides: guides, isLast: isLast))
            }
        }
    }

    /// The identity of a row.
    func id(of row: PathTreeRow, _ states: (Int) -> Target.ID) -> PathTreeRow.ID {
        switch row.kind {
        case .machine: .hop([])
        case .hops(_, let last): .hop(id(of: last))
        case .targets(let node): .targets(behind: id(of: node))
        case .target(let position): .target(states(position))
        case .untraced: .untraced
        }
    }

    /// The index of the row with an identity; of the chain that has the hop, or else of the nearest hop before it.
    func index(of id: PathTreeRow.ID, in rows: [PathTreeRow], _ states: (Int) -> Target.ID) -> Int? {
        switch id {
        case .hop(let id):
            return index(ofHop: nearestNode(id), in: rows)
        case .targets(let id):
            if let node = node(id), let index = rows.firstIndex(where: { $0.kind == .targets(behind: node) }) {
                return index
            }
            return index(ofHop: nearestNode(id), in: rows)
        case .target(let id):
            let own = rows.firstIndex {
                if case .target(let position) = $0.kind { states(position) == id } else { false }
            }
            return own
                ?? rows.firstIndex { row in
                    guard case .targets(let node) = row.kind else { return false }
                    return nodes[node].targets.contains { states($0) == id }
                }
        case .untraced:
            return rows.firstIndex { $0.kind == .untraced }
        }
    }

    /// The row of a hop: its own, that of its chain, or that of the folded hop before it.
    private func index(ofHop node: Int, in rows: [PathTreeRow]) -> Int? {
        var firsts: [Int: Int] = [0: 0]
        for (index, row) in rows.enumerated() {
            guard case .hops(let first, let last) = row.kind else { continue }
            var hop = last
            while hop != first {
                firsts[hop] = index
                hop = nodes[hop].parent
            }
            firsts[first] = index
        }
        var node = node
        while firsts[node] == nil, node > 0 { node = nodes[node].parent }
        return firsts[node]
    }
}

extension UInt64 {
    /// These guides, continued at a depth. Deeper trees than bits have none.
    fileprivate func continued(_ depth: Int) -> UInt64 {
        depth <= 63 ? self | 1 << UInt64(depth) : self
    }
}
