/// A group of the wall, and the targets whose cells it has.
struct WallSection {
    /// The group; nil for targets that have none.
    let name: String?
    /// Their places among the standings.
    let members: ArraySlice<Int>

    /// The groups of an arrangement; one without a name where there are no groups.
    static func sections(of arrangement: Arrangement) -> [WallSection] {
        guard arrangement.groups.isEmpty else {
            return arrangement.groups.map { WallSection(name: $0.name, members: arrangement.order[$0.members]) }
        }
        return arrangement.order.isEmpty ? [] : [WallSection(name: nil, members: arrangement.order[...])]
    }

    /// All of the sections as one, for where there is no line for each.
    static func joined(_ sections: [WallSection]) -> WallSection {
        WallSection(name: nil, members: Array(sections.map(\.members).joined())[...])
    }
}
