/// Finds what simultaneous outages have in common, and follows it while it lasts.
///
/// The finder is a pure reducer: risks and conditions of targets go in, and ``CauseEvent``s come out. It reads no clock
/// and performs no I/O; time is an argument, counted from the start of the program. Calls with an earlier time than the
/// last one count as that.
///
/// The method is SCORE's greedy (Kompella and others, NSDI 2005), with likelihoods in place of its error threshold, as
/// in Sherlock (Bahl and others, SIGCOMM 2007); `docs/causes.md` describes it.
public struct CauseFinder: Sendable {
    /// A target, in a slot that keeps its number.
    struct Member: Sendable {
        var id: Target.ID
        var condition = TargetCondition.undecided
        /// What the condition says about each kind of risk.
        var says = Statements(.undecided)
        var interval = Duration.zero
        /// The standing cause that explains its outage; negative if none does.
        var cause: Int32 = -1
        /// The place in ``free``; negative if it is not there.
        var freePlace: Int32 = -1
        /// During a search, the explanation that it belongs to; zero if to none.
        var owner: Int32 = 0
        /// A random number that stands for it in the sums of rows.
        var mark: UInt64 = 0
        /// The first and the last moment at which its outage may have begun.
        var earliest = Moment.zero
        var onset = Moment.zero
    }

    /// A cause that lasts.
    struct Standing: Sendable {
        let id: CommonCause.ID
        /// The risk it is at, and the rows whose targets it explains.
        var row: RiskIndex.Number
        var rows: [RiskIndex.Number]
        var accused: [Risk]
        var next: String?
        var explained = 0
        /// The span in which it began.
        var earliest: Moment
        var latest: Moment
        var since: Duration
        var chance: Double
        /// The hops whose probes it waits for.
        var probed: [String] = []
        var isNamed = false
        /// When it is over if as many targets behind it are up as it explains; nil while fewer are.
        var fades: Duration?
    }

    /// A possible cause that waits.
    struct Hold: Sendable {
        /// When it is examined again.
        var until: Duration
        /// When it waits no longer.
        var limit: Duration
        /// Whether it waits for targets that are failing.
        var isForFailing: Bool
    }

    var index = RiskIndex()
    var members: [Member] = []
    /// The risks of each target, by slot. Not in ``Member``, so that copies of that are trivial.
    var links: [[RiskIndex.Link]] = []
    var standing: [Standing?] = []
    var standingCount = 0
    /// The targets that are down without a cause, by slot.
    var free: [Int32] = []
    /// The number of targets that are up.
    var upCount = 0
    /// How often targets go down by themselves. Keep it over restarts.
    public internal(set) var background: OutageRate
    /// The causes with a change that is not reported yet.
    var changedCauses: [Int32] = []
    /// The targets that got another cause, or none, since the last call of ``takeReassigned()``; some more than once.
    private var reassigned: [Target.ID] = []
    /// The rows that changed since the last search.
    var touched: [RiskIndex.Number] = []
    var stamp: UInt32 = 1
    /// Possible causes that wait.
    var held: [RiskIndex.Number: Hold] = [:]
    /// Where chance was too likely.
    var rejected: Set<RiskIndex.Number> = []
    /// See ``CauseLimits/reexamined``. Smaller in tests.
    var reexamined = CauseLimits.reexamined
    /// Whether a target is no longer failing since the last search.
    var failingChanged = false
    var time = Duration.zero
    let confirmsHops: Bool
    private var slots = TargetMap<Int32>()
    private var unusedSlots: [Int32] = []
    private var judgedCount = 0
    var nextCause = 1

    /// Creates a finder without targets.
    ///
    /// - Parameters:
    ///   - background: what an earlier run has seen.
    ///   - confirmsHops: whether accused hops are probed once more before a cause is named. The caller must then answer
    ///     each ``CauseEvent/suspected(_:probe:)`` by ``confirm(_:hop:answered:at:)``.
    public init(background: OutageRate = OutageRate(), confirmsHops: Bool = true) {
        self.background = background
        self.confirmsHops = confirmsHops
    }

    // MARK: Targets

    /// Adds a target, or replaces its risks. A new target is undecided.
    public mutating func setRisks(_ risks: TargetRisks, of id: Target.ID, at now: Duration) -> [CauseEvent] {
        advance(to: now)
        let slot = slots[id] ?? addMember(id)
        let condition = members[Int(slot)].condition
        let causeBefore = members[Int(slot)].cause
        setCondition(.undecided, of: slot)
        relink(slot, to: index.rows(of: risks, target: id))
        members[Int(slot)].interval = risks.interval
        setCondition(condition, of: slot, countsOutage: causeBefore >= 0)
        return conclude()
    }

    /// Removes a target.
    public mutating func remove(_ id: Target.ID, at now: Duration) -> [CauseEvent] {
        advance(to: now)
        guard let slot = slots.remove(id) else { return [] }
        setCondition(.undecided, of: slot)
        relink(slot, to: [])
        unusedSlots.append(slot)
        return conclude()
    }

    /// Records new conditions of targets, and searches for causes. Unknown targets are ignored.
    ///
    /// Cheap enough for each change, and cheaper per change for many at once. Call it without changes at
    /// ``nextDeadline``.
    public mutating func update(
        _ changes: [(target: Target.ID, condition: TargetCondition)],
        at now: Duration
    ) -> [CauseEvent] {
        advance(to: now)
        for (target, condition) in changes {
            if let slot = slots[target] { setCondition(condition, of: slot) }
        }
        return conclude()
    }

    /// When ``update(_:at:)`` is due although nothing changes; nil if it is not.
    public var nextDeadline: Duration? {
        let fading = standingCount == 0 ? nil : standing.lazy.compactMap { $0?.fades }.min()
        return [held.values.lazy.map(\.until).min(), fading].compactMap(\.self).min()
    }

    /// Returns the targets that got another cause, suspected or named, or none, since the last call.
    mutating func takeReassigned() -> Set<Target.ID> {
        defer { reassigned.removeAll(keepingCapacity: true) }
        return Set(reassigned)
    }

    /// Whether the outage of a target may get a named cause soon: one is suspected or waits, or other targets that share a
    /// risk with it are failing.
    func isOpen(_ id: Target.ID) -> Bool {
        guard let slot = slots[id] else { return false }
        let cause = members[Int(slot)].cause
        if cause >= 0 { return standing[Int(cause)]?.isNamed == false }
        return links[Int(slot)].contains { link in
            let row = index.rows[Int(link.row)]
            return held[link.row] != nil || row.position >= 0 && held[row.position] != nil || row.failing > 0
        }
    }

    private mutating func advance(to now: Duration) {
        guard now > time else { return }
        background.advance(by: now - time, targets: judgedCount)
        time = now
    }

    private mutating func addMember(_ id: Target.ID) -> Int32 {
        var member = Member(id: id)
        // The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
        var mark = UInt64(bitPattern: Int64(id.rawValue)) &* 0x9E37_79B9_7F4A_7C15 &+ 0x9E37_79B9_7F4A_7C15
        mark = (mark ^ (mark >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mark = (mark ^ (mark >> 27)) &* 0x94D0_49BB_1331_11EB
        member.mark = mark ^ (mark >> 31)
        let slot: Int32
        if let last = unusedSlots.popLast() {
            slot = last
            members[Int(slot)] = member
        } else {
            slot = Int32(members.count)
            members.append(member)
            links.append([])
        }
        slots[id] = slot
        return slot
    }

    private mutating func relink(_ slot: Int32, to rows: [RiskIndex.Number]) {
        let old = links[Int(slot)]
        links[Int(slot)] = rows.map { index.link(slot, to: $0) }
        for link in old {
            // The target may be in the list twice for a moment. The new entry is behind the old one.
            guard let moved = index.unlink(link) else { continue }
            let place = Int32(index.members[Int(link.row)].count)
            if let found = links[Int(moved)].firstIndex(where: { $0.row == link.row && $0.place == place }) {
                links[Int(moved)][found].place = link.place
            }
        }
        for link in old where index.rows[Int(link.row)].members == 0 {
            let cause = index.rows[Int(link.row)].cause
            if cause >= 0 { standing[Int(cause)]?.rows.removeAll { $0 == link.row } }
            held[link.row] = nil
            rejected.remove(link.row)
            index.removeIfUnused(link.row)
        }
    }

    // MARK: Conditions

    /// - Parameter countsOutage: whether an outage without a cause is one more; nil if it is, unless the target was in it
    ///   before.
    private mutating func setCondition(_ new: TargetCondition, of slot: Int32, countsOutage: Bool? = nil) {
        let old = members[Int(slot)].condition
        guard old != new else { return }
        let cause = members[Int(slot)].cause
        let wasFree = cause < 0 && old.onset != nil
        if cause >= 0, !stays(new, in: cause) {
            members[Int(slot)].cause = -1
            reassigned.append(members[Int(slot)].id)
            standing[Int(cause)]?.explained -= 1
            noteChange(of: cause)
        } else if wasFree {
            removeFree(slot)
        }
        let said = members[Int(slot)].says
        let says = Statements(new)
        (members[Int(slot)].condition, members[Int(slot)].says) = (new, says)
        let explained = members[Int(slot)].cause >= 0
        // What is up behind a cause may end it.
        var (lastCause, changed) = (Int32(-1), changedCauses)
        changedCauses = []
        index.count(
            links[Int(slot)],
            from: said,
            wasFree: wasFree,
            to: says,
            isFree: !explained,
            mark: members[Int(slot)].mark,
            stamp: stamp,
            touched: &touched
        ) { cause in
            if cause != lastCause, !changed.contains(cause) { changed.append(cause) }
            lastCause = cause
        }
        changedCauses = changed
        if old == .failing { failingChanged = true }
        if old == .up { upCount -= 1 }
        if new == .up { upCount += 1 }
        if old != .undecided { judgedCount -= 1 }
        if new != .undecided { judgedCount += 1 }
        guard let onset = new.onset else { return }
        members[Int(slot)].onset = Moment(onset)
        members[Int(slot)].earliest = Moment(onset - members[Int(slot)].interval - CauseLimits.slack)
        guard !explained else { return }
        addFree(slot)
        if countsOutage ?? !wasFree { background.countOutages(1) }
        if standingCount > 0 { join(slot) }
    }

    private func stays(_ condition: TargetCondition, in cause: Int32) -> Bool {
        guard let row = standing[Int(cause)]?.row else { return false }
        return condition.say(about: index.rows[Int(row)].kind) == .down
    }

    /// Lists the rows of a target for the next search.
    mutating func touchRows(of slot: Int32) {
        for link in links[Int(slot)] { index.list(link.row, stamp: stamp, in: &touched) }
    }

    mutating func noteChange(of cause: Int32) {
        if changedCauses.last != cause, !changedCauses.contains(cause) { changedCauses.append(cause) }
    }

    // MARK: Free outages

    private mutating func addFree(_ slot: Int32) {
        members[Int(slot)].freePlace = Int32(free.count)
        free.append(slot)
    }

    private mutating func removeFree(_ slot: Int32) {
        let place = Int(members[Int(slot)].freePlace)
        guard place >= 0 else { return }
        let last = free.removeLast()
        if last != slot {
            free[place] = last
            members[Int(last)].freePlace = Int32(place)
        }
        members[Int(slot)].freePlace = -1
    }

    /// Explains the outage of a target by a cause.
    mutating func assign(_ slot: Int32, to cause: Int32) {
        let before = members[Int(slot)].cause
        guard before != cause else { return }
        members[Int(slot)].cause = cause
        reassigned.append(members[Int(slot)].id)
        standing[Int(cause)]?.explained += 1
        guard before < 0 else {
            standing[Int(before)]?.explained -= 1
            return
        }
        removeFree(slot)
        background.countOutages(-1)
        changeFree(of: slot, sign: -1)
    }

    /// Leaves the outage of a target without a cause.
    mutating func release(_ slot: Int32) {
        members[Int(slot)].cause = -1
        reassigned.append(members[Int(slot)].id)
        addFree(slot)
        background.countOutages(1)
        changeFree(of: slot, sign: 1)
    }

    private mutating func changeFree(of slot: Int32, sign: Int32) {
        index.countFree(links[Int(slot)], says: members[Int(slot)].says, sign: sign)
    }

    func slot(of id: Target.ID) -> Int32? { slots[id] }
}
