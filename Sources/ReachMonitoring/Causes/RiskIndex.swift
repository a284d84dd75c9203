/// The risks of all targets, as numbers, with counts of what the targets behind each one say.
///
/// A risk is a row. A silent position has a row, and each of its branches has one too; the position's counts are the
/// sums of its branches. Every change of a target updates the rows of its risks, about twenty.
struct RiskIndex: Sendable {
    /// A row's number. Rows without targets are reused.
    typealias Number = Int32

    /// The counts of one risk.
    struct Row: Sendable {
        /// How many targets behind it are up, down, or failing.
        var up: Int32 = 0
        var down: Int32 = 0
        var failing: Int32 = 0
        /// How many of those that are down have no cause.
        var free: Int32 = 0
        /// How many targets are behind it.
        var members: Int32 = 0
        /// The sum of the marks of the targets that are up, down or failing: equal for rows with the same ones.
        var sum: UInt64 = 0
        /// The position that this is a branch of; negative if it is none.
        var position: Number = -1
        /// The standing cause that explains what is behind this row; negative if there is none.
        var cause: Int32 = -1
        /// The search that last listed this row.
        var stamp: UInt32 = 0
        /// The order in which risks appeared.
        var serial: UInt32 = 0
        var kind = RiskKind.any
        var isPosition = false
        /// Whether a cause here was acquitted; until nothing behind it is down.
        var isAcquitted = false
    }

    /// A target's place in the list of a row.
    struct Link: Sendable {
        var row: Number
        /// The index in the row's list.
        var place: Int32
    }

    /// What distinguishes rows: a risk, or a branch of a silent position.
    enum Key: Sendable, Hashable {
        case risk(Risk)
        case branch(Number, run: Int, next: Next)
    }

    /// What answers behind a branch.
    enum Next: Sendable, Hashable {
        case hop(String)
        case target(Target.ID)
    }

    private(set) var keys: [Key] = []
    var rows: [Row] = []
    /// The targets behind each row, by slot. A position has none itself.
    private(set) var members: [[Int32]] = []
    /// The branches of each position.
    private(set) var branches: [Number: [Number]] = [:]
    /// How many rows have enough targets to be accused: the number of tests that a search makes.
    private(set) var tested = 0
    private var numbers: [Key: Number] = [:]
    private var unused: [Number] = []
    private var serial: UInt32 = 0

    // MARK: Rows

    /// The row of a risk; nil if no target has it.
    func number(of risk: Risk) -> Number? { numbers[.risk(risk)] }

    private mutating func number(of key: Key, kind: RiskKind) -> Number {
        if let number = numbers[key] { return number }
        var row = Row()
        row.kind = kind
        serial += 1
        row.serial = serial
        let number: Number
        if let last = unused.popLast() {
            number = last
            let stamp = rows[Int(number)].stamp
            row.stamp = stamp
            (rows[Int(number)], keys[Int(number)]) = (row, key)
        } else {
            number = Number(rows.count)
            rows.append(row)
            keys.append(key)
            members.append([])
        }
        numbers[key] = number
        return number
    }

    /// The rows of a target, in the order of its path, then the other risks. Creates those that are missing.
    mutating func rows(of risks: TargetRisks, target: Target.ID) -> [Number] {
        var found: [Number] = []
        func add(_ number: Number) {
            if !found.contains(number) { found.append(number) }
        }
        var (previous, number): (String?, Int) = (nil, 0)
        let path = risks.path
        for (index, hop) in path.enumerated() {
            if let hop {
                add(self.number(of: .risk(.hop(hop)), kind: .network))
                (previous, number) = (hop, 0)
                continue
            }
            number += 1
            let position = SilentPosition(after: previous, number: number)
            let parent = self.number(of: .risk(.silent(position)), kind: .network)
            let end = path[index...].firstIndex { $0 != nil }
            let key = Key.branch(
                parent,
                run: number + (end ?? path.count) - index - 1,
                next: end.flatMap { path[$0] }.map { .hop($0) } ?? .target(target)
            )
            let branch = self.number(of: key, kind: .network)
            if rows[Int(branch)].position < 0 {
                rows[Int(branch)].position = parent
                rows[Int(parent)].isPosition = true
                branches[parent, default: []].append(branch)
            }
            add(branch)
        }
        for risk in risks.others { add(self.number(of: .risk(risk), kind: risk.kind)) }
        return found
    }

    // MARK: Targets

    /// Adds a target to a row's list.
    mutating func link(_ slot: Int32, to row: Number) -> Link {
        members[Int(row)].append(slot)
        countMembers(1, row)
        return Link(row: row, place: Int32(members[Int(row)].count - 1))
    }

    /// Removes the target at a place of a row's list. The last one of the list moves there.
    ///
    /// - Returns: the slot of the target that moved; nil if none did.
    mutating func unlink(_ link: Link) -> Int32? {
        let (row, place) = (Int(link.row), Int(link.place))
        let last = members[row].removeLast()
        let isLast = place == members[row].count
        if !isLast { members[row][place] = last }
        countMembers(-1, link.row)
        return isLast ? nil : last
    }

    private mutating func countMembers(_ change: Int32, _ row: Number) {
        let before = rows[Int(row)].members
        rows[Int(row)].members += change
        let position = rows[Int(row)].position
        guard position < 0 else { return countMembers(change, position) }
        let least = Int32(CauseLimits.outages)
        if before < least, before + change >= least { tested += 1 }
        if before >= least, before + change < least { tested -= 1 }
    }

    /// Removes rows that have no targets.
    mutating func removeIfUnused(_ row: Number) {
        guard rows[Int(row)].members == 0, let found = numbers[keys[Int(row)]], found == row else { return }
        numbers[keys[Int(row)]] = nil
        unused.append(row)
        let position = rows[Int(row)].position
        guard position >= 0 else {
            branches[row] = nil
            return
        }
        branches[position]?.removeAll { $0 == row }
        removeIfUnused(position)
    }

    // MARK: Counts

    /// Lists a row and the position it is a branch of, unless they have this stamp already.
    @inline(__always)
    mutating func list(_ row: Number, stamp: UInt32, in list: inout [Number]) {
        var row = row
        repeat {
            if rows[Int(row)].stamp != stamp {
                rows[Int(row)].stamp = stamp
                list.append(row)
            }
            row = rows[Int(row)].position
        } while row >= 0
    }

    /// Counts a change of what a target says about its risks.
    ///
    /// - Parameters:
    ///   - wasFree: whether its outage had no cause. Ignored unless it was down; in the same way `isFree`.
    ///   - mark: the number that stands for the target in the sums of rows.
    ///   - stamp: marks the rows that were reported to `touched` already.
    ///   - touched: called with the rows that have targets behind them without a cause.
    ///   - cause: called with the standing causes at these rows.
    /// `@inline`: the hot path, with every change of a target.
    @inline(__always)
    mutating func count(
        _ links: [Link],
        from old: Statements,
        wasFree: Bool,
        to new: Statements,
        isFree: Bool,
        mark: UInt64,
        stamp: UInt32,
        touched: inout [Number],
        cause: (Int32) -> Void
    ) {
        rows.withUnsafeMutableBufferPointer { rows in
            for link in links {
                var number = Int(link.row)
                let (before, after) = (old[rows[number].kind], new[rows[number].kind])
                let up: Int32 = (after == .up ? 1 : 0) - (before == .up ? 1 : 0)
                let failing: Int32 = (after == .failing ? 1 : 0) - (before == .failing ? 1 : 0)
                let down: Int32 = (after == .down ? 1 : 0) - (before == .down ? 1 : 0)
                let free: Int32 = (after == .down && isFree ? 1 : 0) - (before == .down && wasFree ? 1 : 0)
                let sum = (after == .nothing ? 0 : mark) &- (before == .nothing ? 0 : mark)
                repeat {
                    rows[number].up += up
                    rows[number].failing += failing
                    rows[number].down += down
                    rows[number].free += free
                    rows[number].sum &+= sum
                    if rows[number].down == 0 { rows[number].isAcquitted = false }
                    if rows[number].cause >= 0 { cause(rows[number].cause) }
                    if rows[number].stamp != stamp, rows[number].free > 0 {
                        rows[number].stamp = stamp
                        touched.append(Number(number))
                    }
                    number = Int(rows[number].position)
                } while number >= 0
            }
        }
    }

    /// Counts a target that is down as free, or with `sign` −1 as explained.
    @inline(__always)
    mutating func countFree(_ links: [Link], says: Statements, sign: Int32) {
        rows.withUnsafeMutableBufferPointer { rows in
            for link in links {
                var number = Int(link.row)
                guard says[rows[number].kind] == .down else { continue }
                repeat {
                    rows[number].free += sign
                    number = Int(rows[number].position)
                } while number >= 0
            }
        }
    }

    /// The rows whose targets a cause at this row explains: the row itself, or those branches of a position that are
    /// down.
    func accusedRows(of row: Number) -> [Number] {
        guard rows[Int(row)].isPosition else { return [row] }
        return (branches[row] ?? []).filter {
            let branch = rows[Int($0)]
            return branch.down > 0 && CauseLimits.accuses(down: Int(branch.down), up: Int(branch.up))
        }
    }
}
