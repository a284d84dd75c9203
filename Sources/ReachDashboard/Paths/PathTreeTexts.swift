import ReachMonitoring
import ReachScreen

/// The texts of the rows of the tree: the guide lines, what the row is, and what is said about it.
struct PathTreeTexts {
    let context: ViewContext
    let tree: PathTree
    /// The width of the screen.
    let columns: Int
    private var appearance: Appearance { context.appearance }

    /// The most targets that are named one by one.
    private static let fewTargets = 3
    /// The age of the newest result of a hop from which it is shown: another trace should be complete by then.
    private static let oldResults = PathSettings.defaultInterval + .seconds(60)

    /// The segments of a row: the guide lines first, then its title.
    func segments(of row: PathTreeRow) -> [Segment] {
        let guides = Segment(guides(of: row), appearance[.faint])
        switch row.kind {
        case .machine: return [guides, Segment("this machine", appearance[.text])]
        case .hops(let first, let last): return [guides] + hops(first, last)
        case .targets(let node): return [guides] + targets(tree.nodes[node].targets)
        case .target(let position): return [guides] + targets([position])
        case .untraced:
            let count = tree.untraced.count
            let title = count == 1 ? "1 target" : "\(count) targets"
            return [guides, Segment(title, appearance[.faint]), Segment("  waiting for answers", appearance[.faint])]
        }
    }

    /// The guide lines before a row. In a narrow terminal, those next to the root are left out first.
    private func guides(of row: PathTreeRow) -> String {
        guard row.depth > 0 else { return "" }
        let glyphs = appearance.glyphs
        let isNarrow = columns < 60
        let blank = isNarrow ? " " : "   "
        let parts = (1..<max(1, row.depth)).map { depth in
            let isContinued = depth <= 63 && row.guides & 1 << UInt64(depth) != 0
            return isContinued ? String(glyphs.edge) + blank.dropFirst() : blank
        }
        let corner = String(row.isLast ? glyphs.corner : glyphs.branch)
        let most = max(1, columns / 4 / blank.count)
        return parts.suffix(most).joined() + corner + (isNarrow ? "" : String(glyphs.rule)) + " "
    }

    private func hops(_ first: Int, _ last: Int) -> [Segment] {
        let node = tree.nodes[last]
        let faint = appearance[.faint]
        let length = node.depth - tree.nodes[first].depth + 1
        let cause = causeSegments(first, last)
        let isFault = node.isFault || !cause.isEmpty
        let role: Role = isFault ? .down : .text
        guard case .address(let address) = node.router else {
            let remark = length > 1 ? "\(length) hops" : silence(before: first)
            return [
                Segment(node.isProbed ? "* silent" : "* not probed", appearance[isFault ? .down : .faint]),
                Segment("  \(remark)", faint),
            ] + cause
        }
        var segments: [Segment] = []
        if length > 1, case .address(let start) = tree.nodes[first].router {
            segments.append(Segment("\(start) – \(address)", appearance[role]))
            segments.append(Segment("  \(length) hops", faint))
        } else {
            segments.append(Segment(address, appearance[role]))
        }
        // What is wrong is visible longest.
        segments += cause
        if node.word != .ok {
            let text = node.word.text { context.wall.timeOfDay(at: $0) }
            segments.append(Segment("  \(text)", appearance[node.isFault ? .down : node.word.role]))
        }
        if node.loopsForSome {
            segments.append(Segment("  loop for \(node.loops) of \(node.paths)", appearance[.degraded]))
        }
        if let newest = node.results.last?.sent, context.now - newest > Self.oldResults {
            segments.append(Segment("  \((context.now - newest).spanText) ago", faint))
        }
        if let name = node.name { segments.append(Segment("  \(name)", faint)) }
        if let system = node.system { segments.append(Segment("  AS\(system)", faint)) }
        return segments
    }

    /// The common cause at one of the hops of a row, or directly behind the last one; empty without one.
    private func causeSegments(_ first: Int, _ last: Int) -> [Segment] {
        let causes = context.roster.commonCauses
        guard !causes.isEmpty else { return [] }
        var (risks, node): ([Risk], Int) = ([], last)
        while true {
            switch tree.nodes[node].router {
            case .address(let address): risks += [.hop(address), .gateway(address)]
            case .silent: risks.append(.silent(position(of: node)))
            }
            if node == first { break }
            node = tree.nodes[node].parent
        }
        if let cause = causes.first(where: { $0.accused.contains(where: risks.contains) }) {
            return [Segment("  \(appearance.glyphs.path) cause of \(cause.explained) down", appearance[.down])]
        }
        guard case .address(let address) = tree.nodes[last].router,
            let cause = causes.first(where: { $0.accused == [.beyond(address)] })
        else { return [] }
        return [Segment("  \(appearance.glyphs.path) \(cause.explained) down behind it", appearance[.down])]
    }

    /// The position of a hop without an answer.
    private func position(of node: Int) -> SilentPosition {
        var (distance, parent) = (1, tree.nodes[node].parent)
        while parent > 0, tree.nodes[parent].router == .silent {
            (distance, parent) = (distance + 1, tree.nodes[parent].parent)
        }
        guard case .address(let address) = tree.nodes[parent].router, parent > 0 else {
            return SilentPosition(after: nil, number: distance)
        }
        return SilentPosition(after: address, number: distance)
    }

    /// Where a hop without an answer is: `1st after 10.1.0.1`.
    private func silence(before node: Int) -> String {
        let position = position(of: node)
        let ordinal = ["1st", "2nd", "3rd"].dropFirst(position.number - 1).first ?? "\(position.number)th"
        return position.previous.map { "\(ordinal) after \($0)" } ?? "\(ordinal) hop"
    }

    private func targets(_ positions: [Int]) -> [Segment] {
        let (states, summaries) = (context.roster.states, context.roster.states.targetSummaries)
        // Thousands are not copied.
        let failing = positions.filter { summaries[$0].health.isFailure && !summaries[$0].isPausedOrBlocked }
        let worst = failing.min { summaries[$0].urgency < summaries[$1].urgency }
        let isAllDown = failing.count == positions.count && failing.allSatisfy { summaries[$0].role == .down }
        let (role, remark): (Role, Role) = (isAllDown ? .down : .text, worst.map { summaries[$0].role } ?? .faint)
        if positions.count == 1 {
            let state = states[positions[0]]
            return [
                Segment(state.target.label, appearance[role]), Segment("  \(state.healthName)", appearance[remark]),
            ]
        }
        let isFew = positions.count <= Self.fewTargets
        let title = Segment(isFew ? names(of: positions) : "\(positions.count) targets", appearance[role])
        if failing.isEmpty {
            let isUp = positions.allSatisfy { summaries[$0].health == .up && !summaries[$0].isPausedOrBlocked }
            return [title, Segment(isUp ? "  all up" : "  \(counts(of: positions))", appearance[.faint])]
        }
        let list = [Segment("  \(names(of: failing))", appearance[.faint])]
        if isAllDown { return [title, Segment("  all down", appearance[.down])] + (isFew ? [] : list) }
        return [title, Segment("  \(counts(of: failing))", appearance[remark])] + (isFew ? [] : list)
    }

    /// The first names, and the number of the others: `Shop, API, Mail, 11 more`.
    private func names(of positions: [Int]) -> String {
        let most = positions.count <= Self.fewTargets + 1 ? positions.count : Self.fewTargets
        let others = positions.count - most
        let labels = positions.prefix(most).map { context.roster.states[$0].target.label }
        return (labels + (others > 0 ? ["\(others) more"] : [])).joined(separator: ", ")
    }

    /// The numbers of targets by health: `2 down, 1 degraded`.
    private func counts(of positions: [Int]) -> String {
        let summaries = context.roster.states.targetSummaries
        var counts: [String: Int] = [:]
        for position in positions {
            let summary = summaries[position]
            let name = summary.isPaused ? "paused" : summary.isBlocked ? "blocked" : summary.health.rawValue
            counts[name, default: 0] += 1
        }
        let names = ["down", "degraded", "unknown", "blocked", "paused", "up"]
        return names.compactMap { name in counts[name].map { "\($0) \(name)" } }.joined(separator: ", ")
    }
}
