import Monitoring

/// A group of the wall, and the targets whose cells it has.
struct WallSection {
    /// The group; nil for targets that have none.
    let name: String?
    let standings: [Standing]

    /// The groups of rows that are not folded; one without a name where there are no groups.
    static func sections(of rows: [Row]) -> [WallSection] {
        let groups = rows.compactMap { row -> WallSection? in
            guard case .group(let name, let standings, _) = row else { return nil }
            return WallSection(name: name, standings: standings)
        }
        return groups.isEmpty && !rows.isEmpty
            ? [joined(rows.map(\.targets).map { WallSection(name: nil, standings: $0) })] : groups
    }

    /// All of the sections as one, for where there is no line for each.
    static func joined(_ sections: [WallSection]) -> WallSection {
        WallSection(name: nil, standings: sections.flatMap(\.standings))
    }
}
