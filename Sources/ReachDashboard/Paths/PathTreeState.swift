import ReachMonitoring
import ReachScreen

/// The state of the tree of paths: the tree as it was built last, its rows, what is folded, and the selection.
struct PathTreeState: Sendable {
    /// The time spans that the user can select, shortest first.
    static let spans: [Duration] = [300, 900, 1_800, 3_600].map { .seconds($0) }

    private(set) var tree = PathTree()
    private(set) var rows: [PathTreeRow] = []
    private(set) var folds = PathTreeFolds()
    /// The selected row.
    private(set) var selected: PathTreeRow.ID = .hop([])
    /// The index of the selected row.
    private(set) var index = 0
    /// The first visible row.
    private(set) var scroll = 0
    /// The time span of the heat rows: one of ``spans``.
    private(set) var span = spans[2]
    private var basis: Basis?

    /// The inputs of a tree. If they differ, the tree is out of date.
    struct Basis: Sendable, Hashable {
        var revision = 0
        var edition = 0
        var positions: [Int] = []
        var cursor: Duration?
        var isFrozen = false
        /// The number of changes of health.
        var changes = 0
    }

    /// Whether the tree is out of date.
    func isOutOfDate(_ new: Basis) -> Bool { new != basis }

    /// Replaces the tree.
    mutating func replace(_ tree: PathTree, _ new: Basis, _ ids: (Int) -> Target.ID) {
        (self.tree, basis) = (tree, new)
        updateRows(ids)
    }

    /// Lists the rows again, and keeps the selected one.
    mutating func updateRows(_ ids: (Int) -> Target.ID) {
        rows = tree.rows(folds)
        let found = tree.index(of: selected, in: rows, ids)
        // A row that is gone stays selected: its paths may be known again with the next results.
        index = found ?? max(0, min(index, rows.count - 1))
    }

    /// Selects a row.
    mutating func select(_ index: Int, _ ids: (Int) -> Target.ID) {
        guard rows.indices.contains(index) else { return }
        self.index = index
        selected = tree.id(of: rows[index], ids)
    }

    /// Scrolls so that the selected row is visible.
    mutating func reveal(height: Int) {
        scroll = scroll.revealing(index, of: rows.count, height: height)
    }

    /// Selects the next longer or shorter span.
    ///
    /// - Returns: Whether there is one.
    mutating func changeSpan(isLonger: Bool) -> Bool {
        let before = span
        span = Self.spans.next(to: span, isLonger: isLonger)
        return span != before
    }

    // MARK: Folding

    /// Folds the selected row; if it is folded, selects the one above it.
    mutating func fold(_ ids: (Int) -> Target.ID) {
        guard rows.indices.contains(index) else { return }
        switch rows[index].kind {
        case .targets(let node) where folds.lists.remove(tree.id(of: node)) != nil:
            break
        case .hops(let first, let last) where first == last && folds.chains.contains(tree.id(of: first)):
            foldChain(of: first)
        case .hops(_, let last) where !folds.closed.contains(tree.id(of: last)) && tree.hasRows(below: last):
            folds.closed.insert(tree.id(of: last))
        case .machine where !folds.closed.contains([]):
            folds.closed.insert([])
        case .hops, .targets, .target, .untraced, .machine:
            if let parent = parentIndex { select(parent, ids) }
            return
        }
        updateRows(ids)
    }

    /// Unfolds the selected row.
    ///
    /// - Returns: Whether there was something to unfold.
    @discardableResult
    mutating func unfold(_ ids: (Int) -> Target.ID) -> Bool {
        guard rows.indices.contains(index), rows[index].isFolded else { return false }
        switch rows[index].kind {
        case .machine: folds.closed.remove([])
        case .targets(let node): folds.lists.insert(tree.id(of: node))
        case .hops(let first, let last):
            if folds.closed.remove(tree.id(of: last)) == nil {
                var node = last
                while node != first {
                    folds.chains.insert(tree.id(of: node))
                    node = tree.nodes[node].parent
                }
                folds.chains.insert(tree.id(of: first))
                selected = .hop(tree.id(of: first))
            }
        case .target, .untraced: return false
        }
        updateRows(ids)
        return true
    }

    private mutating func foldChain(of node: Int) {
        var id = tree.id(of: node)
        while folds.chains.contains(Array(id.dropLast())) { id.removeLast() }
        var next = tree.node(id)
        while let node = next, folds.chains.remove(tree.id(of: node)) != nil {
            next = tree.nodes[node].children.first
        }
    }

    /// The index of the row above that the selected one belongs to.
    private var parentIndex: Int? {
        let depth = rows[index].depth
        return rows[..<index].lastIndex { $0.depth < depth }
    }
}

extension PathTree {
    /// Whether there are rows below a node.
    func hasRows(below node: Int) -> Bool { !nodes[node].targets.isEmpty || !nodes[node].children.isEmpty }
}

extension Model {
    /// Builds the tree again if the paths have changed, and keeps the selection and the scroll position valid.
    mutating func reconcilePathTree() {
        guard navigation.view == .paths else { return }
        let roster = shownRoster
        var basis = PathTreeState.Basis()
        basis.revision = frozen.map { $0.paths.snapshots.isEmpty } ?? true ? paths.revision : 0
        basis.edition = roster.edition
        basis.positions = list.order.positions.sorted()
        (basis.cursor, basis.isFrozen) = (shownTime, frozen != nil)
        basis.changes = roster.states.changes
        if pathTree.isOutOfDate(basis) {
            let positions = basis.positions.filter { roster.states[$0].hasPath }
            let digests = digests(of: positions.map { roster.states[$0].id })
            let summaries = roster.states.targetSummaries
            let tree = PathTree(zip(positions, digests).map { ($0, $1) }) { position in
                summaries[position].health == .down && !summaries[position].isPausedOrBlocked
            }
            pathTree.replace(tree, basis) { roster.states[$0].id }
        }
        pathTree.reveal(height: PathTreeView.height(in: areas.list))
    }

    /// The digests of the paths that are shown.
    private mutating func digests(of ids: [Target.ID]) -> [PathDigest?] {
        guard frozen != nil else { return paths.digests(of: ids) }
        return ids.map { shownPath(to: $0).map { PathDigest($0) } }
    }

    /// The targets of the selected row of the tree; none for a hop.
    var selectedPathTargets: [TargetState] {
        let states = shownRoster.states
        guard pathTree.rows.indices.contains(pathTree.index) else { return [] }
        let positions: [Int] =
            switch pathTree.rows[pathTree.index].kind {
            case .targets(let node): pathTree.tree.nodes[node].targets
            case .target(let position): [position]
            case .untraced: pathTree.tree.untraced
            case .machine, .hops: []
            }
        return positions.filter { $0 < states.count }.compactMap { roster[states[$0].id] }
    }

    /// The targets of the selected row of the tree; those behind it for a hop.
    private var targetsBehindSelectedRow: [Target.ID] {
        guard pathTree.rows.indices.contains(pathTree.index) else { return [] }
        let positions: [Int] =
            switch pathTree.rows[pathTree.index].kind {
            case .machine: pathTree.tree.targets(behind: 0) + pathTree.tree.untraced
            case .hops(_, let last): pathTree.tree.targets(behind: last)
            case .targets, .target, .untraced: []
            }
        let states = shownRoster.states
        return positions.isEmpty
            ? selectedPathTargets.map(\.id) : positions.filter { $0 < states.count }.map { states[$0].id }
    }

    /// Performs an action in the tree of paths. The arrows move the selection and fold; others apply to the targets of the
    /// selected row.
    mutating func performInPaths(_ action: Action) -> [Effect] {
        let states = shownRoster.states
        let ids = { (position: Int) in states[position].id }
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            let page = PathTreeView.height(in: areas.list) - 1
            let next = moved(pathTree.index, by: action, count: pathTree.rows.count, page: page)
            pathTree.select(next, ids)
        case .fold:
            pathTree.fold(ids)
        case .unfold:
            pathTree.unfold(ids)
        case .lengthenSpan, .shortenSpan:
            let isLonger = action == .lengthenSpan
            if !pathTree.changeSpan(isLonger: isLonger) { showLimit(of: pathTree.span, isLonger: isLonger) }
        case .open:
            openInPaths(ids)
        case .nextFailing, .previousFailing:
            moveToFailing(forward: action == .nextFailing, ids)
            return []
        case .path:
            let targets = targetsBehindSelectedRow
            guard targets.count == 1 else {
                showStatus("select one target: p shows its path")
                return []
            }
            openPath(to: targets[0])
        case .nextSort, .reverseSort, .chooseColumns:
            return []
        default:
            return performInTable(action)
        }
        syncSelection()
        return []
    }

    /// Unfolds the selected row, or folds it; shows the details of one target.
    private mutating func openInPaths(_ ids: (Int) -> Target.ID) {
        let targets = selectedPathTargets
        if targets.count == 1, let state = shownRoster[targets[0].id] {
            navigation.open(.detail(DetailViewState(state)))
        } else if !pathTree.unfold(ids) {
            pathTree.fold(ids)
        }
    }

    /// Selects the next or previous row with failing targets or a fault.
    private mutating func moveToFailing(forward isForward: Bool, _ ids: (Int) -> Target.ID) {
        let (rows, tree, states) = (pathTree.rows, pathTree.tree, shownRoster.states)
        guard !rows.isEmpty else { return }
        func isFailing(_ index: Int) -> Bool {
            switch rows[index].kind {
            case .hops(_, let last): tree.nodes[last].isFault
            case .targets(let node): tree.nodes[node].targets.contains { states[$0].health.isFailure }
            case .target(let position): states[position].health.isFailure
            case .machine, .untraced: false
            }
        }
        let others = (1...rows.count).map { (pathTree.index + (isForward ? $0 : rows.count - $0)) % rows.count }
        let next = others.first(where: isFailing)
        guard let next else { return showStatus("nothing is failing") }
        pathTree.select(next, ids)
        syncSelection()
    }

    /// Selects the one target of the row in the other views too.
    private mutating func syncSelection() {
        let targets = selectedPathTargets
        if targets.count == 1 { selection.select(.target(targets[0].id)) }
    }

    /// Selects a row of the tree. If it is selected already, unfolds or opens it.
    mutating func clickInPaths(atLine line: Int) -> [Effect] {
        let (index, states) = (pathTree.scroll + line, shownRoster.states)
        guard line >= 0, line < PathTreeView.height(in: areas.list), index < pathTree.rows.count else { return [] }
        status = nil
        staleness = .urgent
        guard index != pathTree.index else { return performInPaths(.open) }
        pathTree.select(index) { states[$0].id }
        syncSelection()
        return []
    }
}
