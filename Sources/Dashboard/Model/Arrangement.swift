import Monitoring

/// Which targets are shown, in which order, and the rows that they make.
///
/// Ten thousand targets are not put in order for every frame: an arrangement holds as long as its ``Basis`` does.
struct Arrangement: Sendable {
    /// What it was made from.
    let basis: Basis
    /// The shown targets by their place among the standings, group by group.
    let order: [Int]
    /// The groups in the order of their first target, and which stretch of the order each is; none where no target has one.
    let groups: [(name: String?, members: Range<Int>)]
    /// The rows of the table, from the first to the last: the heads of groups, and below those that are not folded their
    /// targets.
    let rows: [Row]

    /// What an arrangement depends on, and when it is out of date.
    struct Basis: Sendable, Hashable {
        var edition = 0
        var filter = Filter()
        var sort = Sort.settings
        var isReversed = false
        var folded: Set<String?> = []
        /// Changes of what is seen from afar, where these decide.
        var changes = 0
        /// When what changes with every answer was looked at, where that decides.
        var time = Duration.zero
    }

    /// The arrangement of no targets.
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
        order = Array(members.joined())
        let row = { (position: Int) in Row.target(standings[position].id, position: position) }
        guard names.contains(where: { $0 != nil }) else {
            groups = []
            rows = order.map(row)
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
