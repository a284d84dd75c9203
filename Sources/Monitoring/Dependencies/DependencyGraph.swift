/// Which targets depend on which, by their identities.
///
/// It has no cycles: targets on one, or behind one, count as depending on nothing. The settings refuse cycles; what is
/// made otherwise is not to block itself for ever.
struct DependencyGraph: Sendable {
    /// Something that a target depends on.
    enum Parent: Sendable, Hashable {
        /// A way out of this machine.
        case link
        /// The rows of one target, two where both families are asked: it is down when all of them are.
        case rows([Target.ID])
    }

    private var parents: [Target.ID: [Parent]] = [:]
    private var children: [Target.ID: [Target.ID]] = [:]
    private var linkChildren: [Target.ID] = []
    /// Where a target that depends on something stands in an order that has parents before their children.
    private var ranks: [Target.ID: Int] = [:]

    /// Nothing depends on anything.
    init() {}

    /// The dependencies of these standings; names that no standing has are passed over.
    init(_ standings: Standings) {
        guard standings.contains(where: { !$0.target.dependsOn.isEmpty }) else { return }
        let byName = Dictionary(grouping: standings, by: \.target.name)
        let byLabel = Dictionary(grouping: standings, by: \.target.label)
        for child in standings {
            let parents = child.target.dependsOn.compactMap { dependency -> Parent? in
                guard case .target(let name) = dependency else { return .link }
                let rows = Self.rows(of: byName[name] ?? byLabel[name] ?? [], for: child)
                return rows.isEmpty ? nil : .rows(rows)
            }
            if !parents.isEmpty { self.parents[child.id] = parents }
        }
        rank(standings.map(\.id))
        for id in ranks.keys.sorted() {
            for parent in parents[id] ?? [] {
                switch parent {
                case .link: linkChildren.append(id)
                case .rows(let rows): for row in rows { children[row, default: []].append(id) }
                }
            }
        }
    }

    /// Of a parent that is asked by both families, the row of the child's own family counts, if it has one.
    private static func rows(of parents: [Standing], for child: Standing) -> [Target.ID] {
        let sameFamily = parents.filter { $0.target.family == child.target.family }
        return (parents.count > 1 && !sameFamily.isEmpty ? sameFamily : parents).map(\.id)
    }

    /// Puts parents before children (Kahn's algorithm); what is left over is on a cycle or behind one.
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

    /// What a target depends on, as the settings have it.
    func parents(of id: Target.ID) -> [Parent] {
        parents[id] ?? []
    }

    /// Who depends on a target, and not only on what depends on it.
    func children(of id: Target.ID) -> [Target.ID] {
        children[id] ?? []
    }

    /// All that depend on anything, parents before their children.
    var dependents: [Target.ID] {
        sorted(Set(ranks.keys))
    }

    /// All that depend on these, over however many others, parents before their children.
    func dependents(of ids: [Target.ID]) -> [Target.ID] {
        reach(from: ids.flatMap(children(of:)))
    }

    /// All that depend on a way out, over however many others, parents before their children.
    var dependentsOfLink: [Target.ID] {
        reach(from: linkChildren)
    }

    private func reach(from first: [Target.ID]) -> [Target.ID] {
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
