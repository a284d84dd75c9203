/// Causes that last: targets join and leave them, probes confirm them, and they end.
extension CauseFinder {
    // MARK: Joining

    /// Lets an outage join a standing cause that it is behind.
    mutating func join(_ slot: Int32) {
        let condition = members[Int(slot)].condition
        for link in links[Int(slot)] {
            let row = index.rows[Int(link.row)]
            guard condition.say(about: row.kind) == .down else { continue }
            if row.cause >= 0 {
                assign(slot, to: row.cause)
                return noteChange(of: row.cause)
            }
            guard row.position >= 0 else { continue }
            let cause = index.rows[Int(row.position)].cause
            // Another branch of the position goes down. It must have begun with the cause: it may have another router.
            guard cause >= 0, let standing = standing[Int(cause)],
                CauseLimits.accuses(down: Int(row.down), up: Int(row.up)),
                members[Int(slot)].earliest <= standing.latest, members[Int(slot)].onset >= standing.earliest
            else {
                continue
            }
            self.standing[Int(cause)]?.rows.append(link.row)
            self.standing[Int(cause)]?.next = nil
            index.rows[Int(link.row)].cause = cause
            for other in index.members[Int(link.row)] where isFree(other, behind: link.row) { assign(other, to: cause) }
            return noteChange(of: cause)
        }
    }

    /// Whether a target is down without a cause, in a way that this row can explain.
    @inline(__always)
    func isFree(_ slot: Int32, behind row: RiskIndex.Number) -> Bool {
        isFree(slot, kind: index.rows[Int(row)].kind)
    }

    /// Whether a target is down without a cause, in a way that a risk of this kind can explain.
    @inline(__always)
    func isFree(_ slot: Int32, kind: RiskKind) -> Bool {
        members[Int(slot)].cause < 0 && members[Int(slot)].says[kind] == .down
    }

    // MARK: Ending

    /// Ends the causes that are over, then searches for new ones, and returns what happened since the last call.
    mutating func conclude() -> [CauseEvent] {
        var events: [CauseEvent] = []
        let changed = changedCauses
        changedCauses.removeAll(keepingCapacity: true)
        let faded = standingCount == 0 ? [] : fadedCauses.filter { !changed.contains($0) }
        for cause in changed + faded where isOver(cause) { end(cause, into: &events) }
        let named = changed.compactMap { standing[Int($0)] }.filter(\.isNamed).map(\.id)
        let found = search()
        for id in named where !found.contains(where: { $0.reports(id) }) { events.append(.changed(id)) }
        return events + found
    }

    /// The number of targets behind a standing cause that are up.
    func up(behind standing: Standing) -> Int {
        standing.rows.reduce(0) { $0 + Int(index.rows[Int($1)].up) }
    }

    /// The causes whose last interval has passed.
    private var fadedCauses: [Int32] {
        standing.indices.filter { standing[$0]?.fades.map { $0 <= time } ?? false }.map { Int32($0) }
    }

    /// A cause is over when it explains nothing any more, or when for an interval as many targets behind it are up as it
    /// explains: the others are then down for reasons of their own. Within that interval, they may not have been probed since
    /// the first of them returned.
    private mutating func isOver(_ cause: Int32) -> Bool {
        guard let standing = standing[Int(cause)] else { return false }
        guard standing.explained > 0 else { return true }
        guard up(behind: standing) >= standing.explained else {
            self.standing[Int(cause)]?.fades = nil
            return false
        }
        guard standing.isNamed else { return true }
        if let fades = standing.fades { return fades <= time }
        let interval = explainedSlots(of: cause).reduce(.zero) { max($0, members[Int($1)].interval) }
        self.standing[Int(cause)]?.fades = time + interval + CauseLimits.slack
        return false
    }

    private mutating func end(_ cause: Int32, into events: inout [CauseEvent]) {
        guard let ended = standing[Int(cause)] else { return }
        for slot in explainedSlots(of: cause) { release(slot) }
        forget(cause)
        events.append(ended.isNamed ? .ended(ended.id, mergedInto: nil) : .dropped(ended.id))
    }

    /// Removes a cause that explains nothing.
    mutating func forget(_ cause: Int32) {
        guard let ended = standing[Int(cause)] else { return }
        for row in ended.rows + [ended.row] where index.rows[Int(row)].cause == cause {
            index.rows[Int(row)].cause = -1
        }
        standing[Int(cause)] = nil
        standingCount -= 1
    }

    /// The targets that a cause explains, by slot.
    func explainedSlots(of cause: Int32) -> [Int32] {
        (standing[Int(cause)]?.rows ?? []).flatMap { row in
            index.members[Int(row)].filter { members[Int($0)].cause == cause }
        }
    }

    // MARK: Confirming

    /// Records the probe of a hop that a suspected cause accuses.
    ///
    /// If the hop answers, it and everything before it is acquitted. If no later hop is accused, the cause is what lies
    /// directly behind the hop; behind a silent hop, an answer acquits that. When all probes are recorded, the cause is
    /// named.
    public mutating func confirm(_ id: CommonCause.ID, hop: String, answered: Bool, at now: Duration) -> [CauseEvent] {
        guard let cause = standing.firstIndex(where: { $0?.id == id }), var suspect = standing[cause],
            let place = suspect.probed.firstIndex(of: hop)
        else {
            return update([], at: now)
        }
        suspect.probed.remove(at: place)
        if answered {
            guard suspect.accused.contains(where: { $0.address == hop }) else { return acquit(Int32(cause), at: now) }
            if let last = suspect.accused.lastIndex(of: .hop(hop)) { suspect.accused.removeSubrange(...last) }
            // A gateway is not in the order of the path.
            suspect.accused.removeAll { $0.address == hop }
            suspect.probed.removeAll { address in !suspect.accused.contains { $0.address == address } }
            if !suspect.accused.contains(where: \.isHop) { suspect.accused.insert(.beyond(hop), at: 0) }
        }
        var events: [CauseEvent] = []
        if suspect.probed.isEmpty {
            suspect.isNamed = true
            events.append(.named(id))
        }
        standing[cause] = suspect
        return events + update([], at: now)
    }

    private mutating func acquit(_ cause: Int32, at now: Duration) -> [CauseEvent] {
        guard let acquitted = standing[Int(cause)] else { return [] }
        let released = explainedSlots(of: cause)
        for slot in released { release(slot) }
        forget(cause)
        index.rows[Int(acquitted.row)].isAcquitted = true
        for slot in released { touchRows(of: slot) }
        return [.acquitted(acquitted.id)] + update([], at: now)
    }

    /// The hops to probe before a cause is named: those that it accuses; for a silent position alone, some of the hops behind.
    func probes(for accused: [Risk], rows: [RiskIndex.Number]) -> [String] {
        guard confirmsHops else { return [] }
        // A gateway is a hop too.
        let addresses = accused.compactMap(\.address).reduce(into: [String]()) { addresses, address in
            if !addresses.contains(address) { addresses.append(address) }
        }
        guard addresses.isEmpty else { return addresses }
        return Array(rows.lazy.compactMap { nextHop(of: $0) }.prefix(CauseLimits.confirmations))
    }

    /// What answers next on a branch; nil if that is a target.
    func nextHop(of row: RiskIndex.Number) -> String? {
        if case .branch(_, _, .hop(let address)) = index.keys[Int(row)] { address } else { nil }
    }
}

extension Risk {
    /// Whether it is a hop, that answers or not.
    var isHop: Bool {
        switch self {
        case .hop, .silent: true
        default: false
        }
    }

    /// The address of a router that can be probed.
    var address: String? {
        switch self {
        case .hop(let address), .gateway(let address): address
        default: nil
        }
    }
}
