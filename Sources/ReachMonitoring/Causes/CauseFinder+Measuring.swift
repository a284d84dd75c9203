/// How well a cause would explain the outages.
extension CauseFinder {
    /// A row as a possible place of a cause, with an upper limit of its gain; nil if it is none.
    ///
    /// - Parameter absorption: the most that is gained by replacing standing causes; nil if none may be replaced.
    func candidate(at number: RiskIndex.Number, absorption: Int?) -> Candidate? {
        let row = index.rows[Int(number)]
        guard row.position < 0, row.cause < 0, !row.isAcquitted, row.free > 0, row.down >= CauseLimits.outages else {
            return nil
        }
        var gain = Int(row.free) * CauseLimits.unexplained - CauseLimits.cause
        if !row.isPosition {
            guard CauseLimits.accuses(down: Int(row.down), up: Int(row.up)) else { return nil }
            gain -= Int(row.up) * CauseLimits.contradiction
        }
        if row.down > row.free {
            if let absorption { gain += absorption }
        }
        if absorption == nil || row.down == row.free, row.free < CauseLimits.outages {
            return nil
        }
        return gain > 0 ? Candidate(row: number, gain: gain, up: row.up, serial: row.serial) : nil
    }

    /// The most that a cause gains by replacing standing causes.
    var absorption: Int {
        standing.reduce(0) { sum, standing in
            standing.map { sum + CauseLimits.cause + up(behind: $0) * CauseLimits.contradiction } ?? sum
        }
    }

    /// What a cause at this row would explain of the outages of an owner; nil if that is too little.
    func explanation(at row: RiskIndex.Number, owner: Int32, absorbs: Bool) -> Explanation? {
        let rows = index.accusedRows(of: row)
        let kind = index.rows[Int(row)].kind
        let isFound = rows.contains { part in
            index.rows[Int(part)].free > 0
                && index.members[Int(part)].contains { members[Int($0)].owner == owner && isFree($0, kind: kind) }
        }
        guard isFound else { return nil }
        var slots: [Int32] = []
        var up = 0
        for part in rows {
            up += Int(index.rows[Int(part)].up)
            guard index.rows[Int(part)].free > 0 else { continue }
            for slot in index.members[Int(part)] where isFree(slot, kind: kind) { slots.append(slot) }
        }
        guard let first = slots.first else { return nil }
        // The moment is that of all these outages, whatever was chosen before: so a gain never rises.
        var span = OnsetSpan(earliest: members[Int(first)].earliest, latest: members[Int(first)].onset)
        var isOwner = true
        for slot in slots {
            span.earliest = max(span.earliest, members[Int(slot)].earliest)
            span.latest = min(span.latest, members[Int(slot)].onset)
            if members[Int(slot)].owner != owner { isOwner = false }
        }
        if span.earliest > span.latest {
            span = OnsetSpan.densest(
                of: slots.map { OnsetSpan(earliest: members[Int($0)].earliest, latest: members[Int($0)].onset) }
            )
            slots.removeAll { members[Int($0)].earliest > span.latest || members[Int($0)].onset < span.earliest }
        }
        if !isOwner { slots.removeAll { members[Int($0)].owner != owner } }
        guard !slots.isEmpty else { return nil }
        var found = Explanation(
            row: row,
            rows: rows,
            slots: slots,
            earliest: span.earliest,
            latest: span.latest,
            up: up,
            logChoices: index.rows[Int(row)].isPosition
                ? Logarithms.logChoose(index.branches[row]?.count ?? 0, rows.count) : 0
        )
        var replacedContradictions = 0
        if absorbs, index.rows[Int(row)].down > index.rows[Int(row)].free {
            replacedContradictions = absorb(into: &found)
        }
        guard found.outages >= CauseLimits.outages, CauseLimits.accuses(down: found.outages, up: up) else { return nil }
        found.gain =
            found.slots.count * CauseLimits.unexplained + found.absorbed.count * CauseLimits.cause
            + replacedContradictions * CauseLimits.contradiction
            - CauseLimits.cause - up * CauseLimits.contradiction - Int(found.logChoices * 1_000)
        return found.gain > 0 ? found : nil
    }

    /// Adds the standing causes that an explanation can replace.
    ///
    /// - Returns: the number of targets that are up behind those.
    private func absorb(into explanation: inout Explanation) -> Int {
        var outages = [Int](repeating: 0, count: standing.count)
        let kind = index.rows[Int(explanation.row)].kind
        for part in explanation.rows {
            for slot in index.members[Int(part)]
            where members[Int(slot)].cause >= 0 && members[Int(slot)].says[kind] == .down {
                outages[Int(members[Int(slot)].cause)] += 1
            }
        }
        var contradictions = 0
        let causes = outages.indices.filter { outages[$0] > 0 && standing[$0]?.explained == outages[$0] }
        for cause in causes.sorted(by: { order(of: Int32($0)) < order(of: Int32($1)) }) {
            guard let standing = standing[cause],
                standing.earliest <= explanation.latest, standing.latest >= explanation.earliest
            else {
                continue
            }
            explanation.absorbed.append(Int32(cause))
            explanation.absorbedOutages += outages[cause]
            explanation.earliest = max(explanation.earliest, standing.earliest)
            explanation.latest = min(explanation.latest, standing.latest)
            contradictions += up(behind: standing)
        }
        return contradictions
    }

    /// The logarithm of the probability that chance makes so many outages begin together behind any risk.
    ///
    /// - Parameter outside: the targets that are down without any cause found.
    func logChance(of explanation: Explanation, outside: [Int32]) -> Double {
        let together = together(with: explanation, among: outside)
        // These outages themselves are no experience about chance.
        var experience = background
        experience.countOutages(-explanation.slots.count - together)
        let chance = experience.logChance(
            of: explanation.outages,
            of: explanation.outages + explanation.up,
            outside: (down: together, up: upCount - explanation.up),
            window: interval(of: explanation).inSeconds
        )
        // Bonferroni's bound for the choice of the branches and of the risk.
        return min(0, chance + explanation.logChoices + Logarithms.log(Double(max(1, index.tested))))
    }

    /// The time in which outages that began at one moment are seen.
    func interval(of explanation: Explanation) -> Duration {
        explanation.slots.reduce(.zero) { max($0, members[Int($1)].interval) } + CauseLimits.slack
    }

    /// How many of these targets may have gone down together with those that a cause explains.
    private func together(with explanation: Explanation, among slots: [Int32]) -> Int {
        var count = 0
        for slot in slots
        where members[Int(slot)].earliest <= explanation.latest && members[Int(slot)].onset >= explanation.earliest {
            count += 1
        }
        return count
    }

    /// Whether the outages show the place of a cause, and not only that there is one.
    ///
    /// The branches of a silent position are chosen after the fact. If other branches are up, outages anywhere at the
    /// position would look the same. So they must be gathered there: random ones would rarely be.
    func isLocated(_ explanation: Explanation, outside: [Int32]) -> Bool {
        guard explanation.logChoices > 0 else { return true }
        let together = together(with: explanation, among: outside)
        let random = Hypergeometric(
            population: upCount + explanation.outages + together,
            marked: explanation.outages + Int(index.rows[Int(explanation.row)].up),
            selected: explanation.outages + together
        )
        return random.logTail(explanation.outages) <= Logarithms.log(CauseLimits.place)
    }

    /// Whether outages that began elsewhere at the same moment deny a place that the others do not show.
    func isDenied(_ explanation: Explanation, outside: [Int32]) -> Bool {
        together(with: explanation, among: outside) > 0 && !isLocated(explanation, outside: outside)
    }
}
