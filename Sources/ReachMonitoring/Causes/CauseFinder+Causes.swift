/// What the finder knows.
extension CauseFinder {
    /// The causes that last, suspected and named, in the order of their creation.
    public var causes: [CommonCause] {
        standing.indices.compactMap { cause(at: Int32($0)) }.sorted { $0.id < $1.id }
    }

    /// A cause that lasts; nil if it is over.
    public subscript(id: CommonCause.ID) -> CommonCause? {
        standing.firstIndex { $0?.id == id }.flatMap { cause(at: Int32($0)) }
    }

    /// The cause that explains the outage of a target, suspected or named; nil if none does.
    public func cause(of target: Target.ID) -> CommonCause.ID? {
        guard let slot = slot(of: target), members[Int(slot)].cause >= 0 else { return nil }
        return standing[Int(members[Int(slot)].cause)]?.id
    }

    /// The targets whose outages a cause explains, in the order of their creation.
    public func targets(explainedBy id: CommonCause.ID) -> [Target.ID] {
        guard let cause = standing.firstIndex(where: { $0?.id == id }) else { return [] }
        return explainedSlots(of: Int32(cause)).map { members[Int($0)].id }.sorted()
    }

    /// All targets behind a cause, those without a say too, in the order of their creation.
    public func targets(behind id: CommonCause.ID) -> [Target.ID] {
        guard let standing = standing.lazy.compactMap(\.self).first(where: { $0.id == id }) else { return [] }
        return standing.rows.flatMap { row in index.members[Int(row)].map { members[Int($0)].id } }.sorted()
    }

    private func cause(at cause: Int32) -> CommonCause? {
        guard let standing = standing[Int(cause)] else { return nil }
        let rows = standing.rows.map { index.rows[Int($0)] }
        let up = rows.reduce(0) { $0 + Int($1.up) }
        return CommonCause(
            id: standing.id,
            stage: standing.isNamed ? .named : .suspected(probing: standing.probed),
            accused: standing.accused,
            next: standing.next,
            explained: standing.explained,
            behind: rows.reduce(up) { $0 + Int($1.down + $1.failing) },
            up: up,
            othersUp: upCount - up,
            since: standing.since,
            chance: standing.chance
        )
    }
}
