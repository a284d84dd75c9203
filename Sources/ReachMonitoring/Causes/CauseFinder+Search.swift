/// The search for the causes of the outages that have none.
///
/// Of the risks that changed, those are chosen one after the other that explain the outages best, given what was chosen
/// before. Then each choice is compared with several causes in its place, tested against chance, and held back while
/// targets that it may explain as well are failing.
extension CauseFinder {
    /// Searches, records what was found, and returns the events.
    mutating func search() -> [CauseEvent] {
        var rows = touched
        touched.removeAll(keepingCapacity: true)
        let before = held
        for (row, hold) in before {
            let isTouched = index.rows[Int(row)].stamp == stamp
            guard isTouched || hold.until <= time || hold.isForFailing && failingChanged else { continue }
            held[row] = nil
            if !isTouched { rows.append(row) }
        }
        failingChanged = false
        stamp &+= 1
        var events: [CauseEvent] = []
        while examine(rows, limits: before, into: &events), !rejected.isEmpty {
            // What was explained now is no chance any more: so what seemed to be chance before may be no chance either.
            rows = Array(rejected)
        }
        return events
    }

    /// Searches for causes at these rows.
    ///
    /// - Parameter limits: the causes that waited before.
    /// - Returns: whether a cause was found.
    private mutating func examine(
        _ rows: [RiskIndex.Number],
        limits: [RiskIndex.Number: Hold],
        into events: inout [CauseEvent]
    ) -> Bool {
        let absorption = absorption
        var candidates = rows.compactMap { candidate(at: $0, absorption: absorption) }
        if !rejected.isEmpty { rejected.subtract(rows) }
        guard !candidates.isEmpty else { return false }
        // Several causes at once are each chance for the others, unless they are examined together.
        if rejected.count <= reexamined {
            candidates += rejected.compactMap { candidate(at: $0, absorption: absorption) }
            rejected = []
        }
        var owners: Int32 = 0
        var found = choose(among: candidates, owner: 0, absorbs: true, owners: &owners)
        found = found.flatMap { refined($0, owners: &owners) }
        // `outside` may have all targets that are down, so it is made once.
        var outside = free.filter { members[Int($0)].owner == 0 }
        while !found.isEmpty {
            let (kept, dropped) = split(found) {
                logChance(of: $0, outside: outside) <= Logarithms.log(CauseLimits.chance)
                    && !isDenied($0, outside: outside)
            }
            guard !dropped.isEmpty else { break }
            // Their outages count as chance for the others.
            for explanation in dropped {
                setOwner(0, of: explanation.slots)
                rejected.insert(explanation.row)
            }
            found = kept
            outside = free.filter { members[Int($0)].owner == 0 }
        }
        var ready: [(Explanation, Double)] = []
        for explanation in found {
            let logChance = logChance(of: explanation, outside: outside)
            let isCertain =
                logChance <= Logarithms.log(CauseLimits.certainty) && isLocated(explanation, outside: outside)
            let hold = hold(of: explanation, isCertain: isCertain, limit: limits[explanation.row]?.limit)
            if let hold {
                held[explanation.row] = hold
            } else {
                ready.append((explanation, Logarithms.exp(logChance)))
            }
        }
        for explanation in found { setOwner(0, of: explanation.slots) }
        for (explanation, chance) in ready { establish(explanation, chance: chance, into: &events) }
        return !ready.isEmpty
    }

    private func split<T>(_ values: [T], by isFirst: (T) -> Bool) -> (first: [T], second: [T]) {
        var (first, second): ([T], [T]) = ([], [])
        for value in values {
            if isFirst(value) { first.append(value) } else { second.append(value) }
        }
        return (first, second)
    }

    private mutating func setOwner(_ owner: Int32, of slots: [Int32]) {
        for slot in slots { members[Int(slot)].owner = owner }
    }

    /// Chooses explanations of the outages of an owner, the best ones first. Each becomes the owner of its outages.
    ///
    /// The gain of a candidate only falls when others are chosen. So the first of the heap is measured again, and chosen
    /// if it remains the first.
    ///
    /// - Parameter limit: no cause is chosen that explains this many outages.
    private mutating func choose(
        among candidates: [Candidate],
        owner: Int32,
        absorbs: Bool,
        limit: Int = .max,
        owners: inout Int32
    ) -> [Explanation] {
        var heap = CandidateHeap(candidates)
        var chosen: [Explanation] = []
        var absorbed: [Int32] = []
        while var best = heap.popFirst() {
            guard let explanation = explanation(at: best.row, owner: owner, absorbs: absorbs),
                explanation.outages < limit, !explanation.absorbed.contains(where: absorbed.contains)
            else {
                continue
            }
            if explanation.gain < best.gain {
                best.gain = explanation.gain
                if let next = heap.first, next.precedes(best) {
                    heap.insert(best)
                    continue
                }
            }
            owners += 1
            setOwner(owners, of: explanation.slots)
            absorbed += explanation.absorbed
            chosen.append(explanation)
        }
        return chosen
    }

    /// The explanation, or several in its place that are more likely: such as two hops in place of the one before them
    /// if something else behind that one is up.
    ///
    /// - Parameter isPart: whether it is in the place of another one. Its own parts are not divided again: that would
    ///   compare each of many nested risks with all inside it.
    private mutating func refined(
        _ explanation: Explanation,
        isPart: Bool = false,
        owners: inout Int32
    ) -> [Explanation] {
        guard explanation.gain < explanation.slots.count * CauseLimits.unexplained - CauseLimits.cause,
            explanation.absorbed.isEmpty, let first = explanation.slots.first
        else {
            return [explanation]
        }
        var rows: [RiskIndex.Number] = []
        index.rows[Int(explanation.row)].stamp = stamp
        for slot in explanation.slots {
            for link in links[Int(slot)] { index.list(link.row, stamp: stamp, in: &rows) }
        }
        stamp &+= 1
        let candidates = rows.compactMap { candidate(at: $0, absorption: nil) }
        let owner = members[Int(first)].owner
        var others = choose(
            among: candidates,
            owner: owner,
            absorbs: false,
            limit: explanation.slots.count,
            owners: &owners
        )
        if !isPart { others = others.flatMap { refined($0, isPart: true, owners: &owners) } }
        if others.reduce(0, { $0 + $1.gain }) > explanation.gain {
            for slot in explanation.slots where members[Int(slot)].owner == owner { members[Int(slot)].owner = 0 }
            return others
        }
        setOwner(owner, of: explanation.slots)
        return [explanation]
    }

    /// Until when a cause waits; nil if it does not.
    ///
    /// - It waits for targets that are failing: behind it, or behind a risk that all of its outages share and that may
    ///   turn out to be the cause.
    /// - If the outages do not show it well, or not its place, it waits until all that went down at that moment can be
    ///   seen: outages elsewhere may be to come.
    private func hold(of explanation: Explanation, isCertain: Bool, limit: Duration?) -> Hold? {
        let limit = limit ?? time + CauseLimits.longestWait
        let moment = explanation.latest.duration + interval(of: explanation)
        let isForFailing = isFailing(explanation)
        let until = isForFailing ? limit : isCertain ? .zero : min(limit, moment)
        return until > time ? Hold(until: until, limit: limit, isForFailing: isForFailing) : nil
    }

    private func isFailing(_ explanation: Explanation) -> Bool {
        explanation.rows.contains { index.rows[Int($0)].failing > 0 }
            || explanation.slots.first.map { slot in
                links[Int(slot)].contains { link in
                    let row = index.rows[Int(link.row)]
                    return row.failing > 0 && Int(row.down) >= explanation.outages
                        && CauseLimits.accuses(down: Int(row.down + row.failing), up: Int(row.up))
                }
            } ?? false
    }

    /// Records a cause that was found.
    private mutating func establish(_ explanation: Explanation, chance: Double, into events: inout [CauseEvent]) {
        let accused = accused(by: explanation)
        let hops = Set(explanation.rows.map { nextHop(of: $0) })
        let oldest = explanation.absorbed.min { order(of: $0) < order(of: $1) }
        let probed = probes(for: accused, rows: explanation.rows)
        var cause = Standing(
            id: oldest.flatMap { standing[Int($0)]?.id } ?? CommonCause.ID(nextCause),
            row: explanation.row,
            rows: explanation.rows,
            accused: accused,
            next: hops.count == 1 ? hops.first ?? nil : nil,
            earliest: explanation.earliest,
            latest: explanation.latest,
            since: explanation.slots.map { members[Int($0)].onset }.min()?.duration ?? time,
            chance: chance,
            probed: probed,
            isNamed: probed.isEmpty
        )
        if oldest == nil { nextCause += 1 }
        for slot in explanation.absorbed { cause.since = min(cause.since, standing[Int(slot)]?.since ?? cause.since) }
        let wasNamed = explanation.absorbed.contains { standing[Int($0)]?.isNamed == true }
        let oldestWasNamed = oldest.flatMap { standing[Int($0)]?.isNamed } ?? false
        if wasNamed { (cause.isNamed, cause.probed) = (true, []) }
        let moved = explanation.absorbed.flatMap { explainedSlots(of: $0) }

        let place = Int32(standing.firstIndex { $0 == nil } ?? standing.count)
        if Int(place) == standing.count { standing.append(cause) } else { standing[Int(place)] = cause }
        standingCount += 1
        for slot in moved + explanation.slots { assign(slot, to: place) }
        for replaced in explanation.absorbed {
            guard let old = standing[Int(replaced)] else { continue }
            if replaced != oldest {
                events.append(old.isNamed ? .ended(old.id, mergedInto: cause.id) : .dropped(old.id))
            } else if old.isNamed {
                events.append(.moved(cause.id))
            }
            forget(replaced)
        }
        for row in explanation.rows + [explanation.row] { index.rows[Int(row)].cause = place }
        if !oldestWasNamed { events.append(cause.isNamed ? .named(cause.id) : .suspected(cause.id, probe: probed)) }
    }

    /// The identity of a standing cause, by which causes are ordered.
    func order(of cause: Int32) -> CommonCause.ID { standing[Int(cause)]?.id ?? CommonCause.ID(.max) }

    /// The risks that no observation tells apart from that of an explanation, in the order of the path.
    private func accused(by explanation: Explanation) -> [Risk] {
        let chosen = index.rows[Int(explanation.row)]
        guard let slot = explanation.slots.first else { return [] }
        var risks: [Risk] = []
        for link in links[Int(slot)] {
            let branch = index.rows[Int(link.row)]
            let number = branch.position >= 0 ? branch.position : link.row
            let row = index.rows[Int(number)]
            guard row.sum == chosen.sum, row.down == chosen.down, row.up == chosen.up, !row.isAcquitted,
                case .risk(let risk) = index.keys[Int(number)]
            else {
                continue
            }
            risks.append(risk)
        }
        return risks
    }
}
