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
        let role: Role = node.isFault ? .down : .text
        guard case .address(let address) = node.router else {
            let remark = length > 1 ? "\(length) hops" : silence(before: first)
            return [
                Segment("* silent", appearance[node.isFault ? .down : .faint]), Segment("  \(remark)", faint),
            ]
        }
        var segments: [Segment] = []
        if length > 1, case .address(let start) = tree.nodes[first].router {
            segments.append(Segment("\(start) – \(address)", appearance[role]))
            segments.append(Segment("  \(length) hops", faint))
        } else {
            segments.append(Segment(address, appearance[role]))
        }
        // What is wrong is visible longest.
        if node.word != .ok {
            let text = node.word.text { context.wall.timeOfDay(at: $0) }
            segments.append(Segment("  \(text)", appearance[node.isFault ? .down : node.word.role]))
        }
        if let name = node.name { segments.append(Segment("  \(name)", faint)) }
        if let system = node.system { segments.append(Segment("  AS\(system)", faint)) }
        return segments
    }

    /// Where a hop without an answer is: `1st after 10.1.0.1`.
    private func silence(before node: Int) -> String {
        var (distance, parent) = (1, tree.nodes[node].parent)
        while parent > 0, tree.nodes[parent].router == .silent { (distance, parent) = (distance + 1, tree.nodes[parent].parent) }
        let ordinal = ["1st", "2nd", "3rd"].dropFirst(distance - 1).first ?? "\(distance)th"
        guard case .address(let address) = tree.nodes[parent].router, parent > 0 else { return "\(ordinal) hop" }
        return "\(ordinal) after \(address)"
    }

    private func targets(_ positions: [Int]) -> [Segment] {
        let states = context.roster.states
        let targets = positions.filter { $0 < states.count }.map { states[$0] }
        let failing = targets.filter { !$0.isPausedOrBlocked && $0.health.isFailure }
        let role: Role = failing.contains { $0.health == .down } && failing.count == targets.count ? .down : .text
        let (faint, worst) = (appearance[.faint], appearance[failing.min { $0.health.urgency < $1.health.urgency }?.role ?? .faint])
        if targets.count == 1 {
            let target = targets[0]
            let remark = target.health == .up && !target.isPausedOrBlocked ? "up" : target.healthName
            return [Segment(target.target.label, appearance[role]), Segment("  \(remark)", failing.isEmpty ? faint : worst)]
        }
        let isFew = targets.count <= Self.fewTargets
        let names = { (some: [TargetState]) in Self.names(of: some.map(\.target.label)) }
        let title = Segment(isFew ? names(targets) : "\(targets.count) targets", appearance[role])
        if failing.isEmpty {
            let isUp = targets.allSatisfy { $0.health == .up && !$0.isPausedOrBlocked }
            return [title, Segment(isUp ? "  all up" : "  \(Self.counts(of: targets))", faint)]
        }
        if failing.count == targets.count { return [title] + (isFew ? [Segment("  all failing", worst)] : [Segment("  \(names(targets))", faint)]) }
        return [title, Segment("  \(Self.counts(of: failing))", worst)] + (isFew ? [] : [Segment(": \(names(failing))", faint)])
    }

    /// The first names, and the number of the others: `Shop, API, Mail, 11 more`.
    private static func names(of labels: [String]) -> String {
        let most = labels.count <= fewTargets + 1 ? labels.count : fewTargets
        let others = labels.count - most
        return (labels.prefix(most) + (others > 0 ? ["\(others) more"] : [])).joined(separator: ", ")
    }

    /// The numbers of targets by health: `2 down, 1 slow`.
    private static func counts(of targets: [TargetState]) -> String {
        let names = ["down", "degraded", "unknown", "blocked", "paused", "up"]
        let counts = Dictionary(grouping: targets, by: \.healthName).mapValues(\.count)
        return names.compactMap { name in counts[name].map { "\($0) \(name)" } }.joined(separator: ", ")
    }
}
