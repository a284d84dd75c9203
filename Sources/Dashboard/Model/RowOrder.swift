import Monitoring

/// Which targets are shown, in which order, and the rows that they make.
///
/// Ten thousand targets are not sorted for every frame: an order is valid as long as its ``Basis`` is.
struct RowOrder: Sendable {
    /// What it was made from.
    let basis: Basis
    /// The positions of the shown targets among the standings, group by group.
    let positions: [Int]
    /// The groups in the order of their first target, each with its range of the positions; none where no target has one.
    let groups: [(name: String?, members: Range<Int>)]
    /// The rows of the table, from the first to the last: the heads of groups, and below those that are not folded their
    /// targets.
    let rows: [Row]

    /// What an order depends on; when it differs, the order is out of date.
    struct Basis: Sendable, Hashable {
        var edition = 0
        var filter = Filter()
        var sort = Sort.settings
        var isReversed = false
        var folded: Set<String?> = []
        /// The count of changes of the targets' health, where the order depends on them.
        var changes = 0
        /// When the figures were read, where the order depends on them.
        var time = Duration.zero
    }

    /// The order of no targets.
    init() {
        self.init(of: Roster(), by: Basis(), texts: TargetTexts(of: Roster()))
    }

    init(of roster: Roster, by basis: Basis, texts: TargetTexts) {
        let standings = roster.standings
        self.basis = basis
        let shown = standings.indices.filter { basis.filter.matches($0, of: standings, texts) }
        let sorted = basis.sort.sorted(shown, of: standings, reversed: basis.isReversed)

        var names: [String?] = []
        var numbers: [String?: Int] = [:]
        var members: [[Int]] = []
        for position in sorted {
            let name = standings[position].target.group
            if let number = numbers[name] {
                members[number].append(position)
            } else {
                numbers[name] = names.count
                names.append(name)
                members.append([position])
            }
        }
        positions = Array(members.joined())
        let row = { (position: Int) in Row.target(standings[position].id, position: position) }
        guard names.contains(where: { $0 != nil }) else {
            groups = []
            rows = positions.map(row)
            return
        }
        var (groups, rows, start): ([(name: String?, members: Range<Int>)], [Row], Int) = ([], [], 0)
        for (name, members) in zip(names, members) {
            let range = start..<start + members.count
            let isFolded = basis.folded.contains(name)
            groups.append((name, range))
            rows.append(.group(name, members: range, isFolded: isFolded))
            if !isFolded { rows += members.map(row) }
            start = range.upperBound
        }
        (self.groups, self.rows) = (groups, rows)
    }
}
