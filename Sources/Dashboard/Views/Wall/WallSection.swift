/// A group of the wall, and the targets whose cells it has.
struct WallSection {
    /// The group; nil for targets that have none.
    let name: String?
    /// Their places among the standings.
    let members: ArraySlice<Int>

    /// The groups of an order; one without a name where there are no groups.
    static func sections(of order: RowOrder) -> [WallSection] {
        guard order.groups.isEmpty else {
            return order.groups.map { WallSection(name: $0.name, members: order.positions[$0.members]) }
        }
        return order.positions.isEmpty ? [] : [WallSection(name: nil, members: order.positions[...])]
    }

    /// All of the sections as one, for where there is no line for each.
    static func joined(_ sections: [WallSection]) -> WallSection {
        WallSection(name: nil, members: Array(sections.map(\.members).joined())[...])
    }
}
