import Monitoring

/// The filtered and sorted targets, and the rows of the table.
///
/// Sorting ten thousand targets for every frame is too expensive. An order stays valid until its ``Basis`` changes.
struct RowOrder: Sendable {
    /// The inputs that this order was computed from.
    let basis: Basis
    /// The positions of the shown targets in the target states, group by group.
    let positions: [Int]
    /// The groups in the order of their first target, each with its range of ``positions``; empty if no target has a
    /// group.
    let groups: [(name: String?, members: Range<Int>)]
    /// The rows of the table: the headings of groups, each followed by its targets unless it is folded.
    let rows: [Row]
    /// The row of each group's heading.
    private let headings: [Int]

    /// The inputs of an order. If they differ, the order is out of date.
    struct Basis: Sendable, Hashable {
        var edition = 0
        var filter = Filter()
        var sort = Sort.settings
        var isReversed = false
        var folded: Set<String?> = []
        /// The groups with targets that are only counted; empty for those without a group.
        var counted: Set<String> = []
        /// The number of health changes so far, if the order depends on them.
        var changes = 0
        /// The time cursor.
        var cursor: Duration?
        /// When the figures of the sort order were read, if it depends on them.
        var time = Duration.zero
        /// The number of answers with availability from the history, if the order depends on them.
        var availabilityCount = 0
        /// When the figures of the filter were read, if it compares any.
        var figureTime: Duration?
    }

    /// Creates an order without targets.
    init() {
        self.init(of: Roster(), by: Basis(), texts: TargetTexts(of: Roster()), figures: FigureValues())
    }

    init(
        of roster: Roster,
        by basis: Basis,
        texts: TargetTexts,
        figures: FigureValues,
        availability: [Target.ID: PeriodAvailability] = [:]
    ) {
        let states = roster.states
        self.basis = basis
        let shown = states.indices.filter { basis.filter.matches($0, of: states, texts, figures) }
        let sorted = basis.sort.sorted(
            shown,
            of: states,
            availability,
            at: basis.time,
            reversed: basis.isReversed
        )

        var names: [String?] = []
        var numbers: [String?: Int] = [:]
        var members: [[Int]] = []
        for position in sorted {
            let name = states[position].target.group
            if let number = numbers[name] {
                members[number].append(position)
            } else {
                numbers[name] = names.count
                names.append(name)
                members.append([position])
            }
        }
        for group in basis.counted.sorted() where numbers[group.isEmpty ? nil : group] == nil {
            names.append(group.isEmpty ? nil : group)
            members.append([])
        }
        positions = Array(members.joined())
        let row = { (position: Int) in Row.target(states[position].id, position: position) }
        guard names.contains(where: { $0 != nil }) else {
            groups = []
            rows = positions.map(row)
            headings = []
            return
        }
        var (groups, rows, start): ([(name: String?, members: Range<Int>)], [Row], Int) = ([], [], 0)
        var headings: [Int] = []
        for (name, members) in zip(names, members) {
            let range = start..<start + members.count
            let isFolded = basis.folded.contains(name)
            groups.append((name, range))
            headings.append(rows.count)
            rows.append(.group(name, members: range, isFolded: isFolded))
            if !isFolded { rows += members.map(row) }
            start = range.upperBound
        }
        (self.groups, self.rows, self.headings) = (groups, rows, headings)
    }

    /// Returns the range of ``positions`` that rows show; a folded heading stands for all its targets.
    func targets(ofRows range: Range<Int>) -> Range<Int> {
        let start = target(atRow: range.lowerBound)
        return start..<max(start, target(atRow: range.upperBound))
    }

    /// Returns the row of the heading above a target's row; nil for a heading, and without groups.
    func heading(aboveRow row: Int) -> Int? {
        guard row < rows.count, rows[row].id.isTarget else { return nil }
        return group(atRow: row).map { headings[$0] }
    }

    /// Returns the number of targets above a row.
    private func target(atRow row: Int) -> Int {
        guard row < rows.count else { return positions.count }
        guard let group = group(atRow: row) else { return row }
        return groups[group].members.lowerBound + max(0, row - headings[group] - 1)
    }

    /// Returns the group whose heading is the last one at or above a row; nil without groups.
    private func group(atRow row: Int) -> Int? {
        // By bisection: there may be thousands.
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if headings[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
