/// A dependency of a target. While it is down, the target is neither probed nor judged.
public enum Dependency: Sendable, Hashable {
    /// The target with this name.
    case target(String)
    /// Any interface of this machine that leads out (an uplink).
    case link

    /// The settings' name of ``link``; no target may have it.
    public static let linkName = "link"
}

/// The reason that a target is blocked: the nearest of its direct and indirect dependencies that is down and not
/// blocked itself.
public enum Blocker: Sendable, Hashable {
    /// The target with this label is down.
    case target(String)
    /// No interface of this machine leads out.
    case link
    /// The way to the target is interrupted before the far side, at one of these sides. The target is probed meanwhile, and
    /// only its replies count.
    case side(Sides)

    /// The name of the dependency in the settings.
    public var name: String {
        switch self {
        case .target(let label): label
        case .link: Dependency.linkName
        case .side(let sides): sides.name
        }
    }
}

/// The graph of dependencies between targets, by their identities.
///
/// The graph has no cycles: a target on a cycle, or behind one, counts as depending on nothing. The settings file
/// rejects cycles; targets from other sources must not block themselves for ever.
struct DependencyGraph: Sendable {
    /// A dependency, resolved to identities.
    enum Parent: Sendable, Hashable {
        /// Any interface of this machine that leads out (an uplink).
        case link
        /// The rows of one target; it is down when all of them are. A target probed over both families has two rows.
        case rows([Target.ID])
    }

    private var parents: [Target.ID: [Parent]] = [:]
    private var children: [Target.ID: [Target.ID]] = [:]
    private var linkChildren: [Target.ID] = []
    /// The rank of each target with dependencies, in an order that has parents before their children.
    private var ranks: [Target.ID: Int] = [:]

    /// Creates an empty graph.
    init() {}

    /// Creates the graph of targets; unknown names are ignored.
    init(_ states: TargetStates) {
        guard states.contains(where: { !$0.target.dependsOn.isEmpty }) else { return }
        let byName = Dictionary(grouping: states, by: \.target.name)
        let byLabel = Dictionary(grouping: states, by: \.target.label)
        for child in states {
            let parents = child.target.dependsOn.compactMap { dependency -> Parent? in
                guard case .target(let name) = dependency else { return .link }
                let rows = Self.rows(of: byName[name] ?? byLabel[name] ?? [], for: child)
                return rows.isEmpty ? nil : .rows(rows)
            }
            if !parents.isEmpty { self.parents[child.id] = parents }
        }
        rank(states.map(\.id))
        for id in ranks.keys.sorted() {
            for parent in parents[id] ?? [] {
                switch parent {
                case .link: linkChildren.append(id)
                case .rows(let rows): for row in rows { children[row, default: []].append(id) }
                }
            }
        }
    }

    /// The rows of a parent that count for a child: if the parent has a row of the child's family, only that one.
    private static func rows(of parents: [TargetState], for child: TargetState) -> [Target.ID] {
        let sameFamily = parents.filter { $0.target.family == child.target.family }
        return (parents.count > 1 && !sameFamily.isEmpty ? sameFamily : parents).map(\.id)
    }

    /// Ranks parents before children (Kahn's algorithm). Targets left without a rank are on a cycle or behind one.
    private mutating func rank(_ ids: [Target.ID]) {
        var missing: [Target.ID: Int] = [:]
        var followers: [Target.ID: [Target.ID]] = [:]
        for id in ids {
            let above = (parents[id] ?? []).flatMap { parent -> [Target.ID] in
                if case .rows(let rows) = parent { rows } else { [] }
            }
            missing[id] = above.count
            for parent in above { followers[parent, default: []].append(id) }
        }
        var ready = ids.filter { missing[$0] == 0 }
        var next = 0
        while next < ready.count {
            let id = ready[next]
            next += 1
            if parents[id] != nil { ranks[id] = next }
            for follower in followers[id] ?? [] {
                missing[follower, default: 0] -= 1
                if missing[follower] == 0 { ready.append(follower) }
            }
        }
        parents = parents.filter { ranks[$0.key] != nil }
    }

    /// The direct dependencies of a target.
    func parents(of id: Target.ID) -> [Parent] {
        parents[id] ?? []
    }

    /// The targets that depend directly on a target.
    func children(of id: Target.ID) -> [Target.ID] {
        children[id] ?? []
    }

    /// All targets with dependencies, parents before their children.
    var dependents: [Target.ID] {
        sorted(Set(ranks.keys))
    }

    /// The targets that depend on these, directly or indirectly, parents before their children.
    func dependents(of ids: [Target.ID]) -> [Target.ID] {
        reachable(from: ids.flatMap(children(of:)))
    }

    /// The targets that depend on the link, directly or indirectly, parents before their children.
    var dependentsOfLink: [Target.ID] {
        reachable(from: linkChildren)
    }

    private func reachable(from first: [Target.ID]) -> [Target.ID] {
        var found: Set<Target.ID> = []
        var waiting = first
        while let id = waiting.popLast() {
            if found.insert(id).inserted { waiting += children(of: id) }
        }
        return sorted(found)
    }

    private func sorted(_ ids: Set<Target.ID>) -> [Target.ID] {
        ids.map { (rank: ranks[$0] ?? 0, id: $0) }.sorted { $0.rank < $1.rank }.map(\.id)
    }
}
