@testable import ReachMonitoring

extension ReferenceFinder {
    mutating func search() -> [CauseEvent] {
        let due = held.filter { $0.value.until <= time || ($0.value.isForFailing && failingChanged) }
        var keys = touched.union(due.keys)
        let before = held
        held = held.filter { !keys.contains($0.key) }
        touched = []
        failingChanged = false
        var events: [CauseEvent] = []
        while true {
            let found = examine(keys, before)
            events += found
            if found.isEmpty || rejected.isEmpty { return events }
            keys = rejected
        }
    }

    mutating func examine(_ keys: Set<Key>, _ before: [Key: CauseFinder.Hold]) -> [CauseEvent] {
        rejected.subtract(keys)
        var candidates = keys.filter { isCandidate($0) }
        guard !candidates.isEmpty else { return [] }
        if rejected.count <= reexamined {
            candidates.formUnion(rejected.filter { isCandidate($0) })
            rejected = []
        }
        var available = Set(members.keys)
        var found = choose(among: candidates, from: &available, absorbs: true)
        found = found.flatMap { refined($0) }
        while true {
            let taken = found.reduce(into: Set<Int>()) { $0.formUnion($1.targets) }
            let kept = found.filter {
                logChance($0, taken) <= Logarithms.log(CauseLimits.chance)
                    && (together($0, taken) == 0 || isLocated($0, taken))
            }
            if kept.count == found.count { break }
            for explanation in found where !kept.contains(where: { $0.key == explanation.key }) {
                rejected.insert(explanation.key)
            }
            found = kept
        }
        var ready: [Explanation] = []
        for explanation in found {
            let limit = before[explanation.key]?.limit ?? time + CauseLimits.longestWait
            let interval = (explanation.targets.map { member($0).interval }.max() ?? .zero) + CauseLimits.slack
            let taken = found.reduce(into: Set<Int>()) { $0.formUnion($1.targets) }
            let isCertain =
                isLocated(explanation, taken)
                && logChance(explanation, taken) <= Logarithms.log(CauseLimits.certainty)
            let isFailing = waits(explanation)
            let until = isFailing ? limit : isCertain ? .zero : min(limit, explanation.latest.duration + interval)
            if until > time {
                held[explanation.key] = CauseFinder.Hold(until: until, limit: limit, isForFailing: isFailing)
            } else {
                ready.append(explanation)
            }
        }
        return ready.flatMap { establish($0) }
    }

    func isCandidate(_ key: Key) -> Bool {
        guard serials[key] != nil, key.position == nil, standing(at: key) == nil, !acquitted.contains(key),
            !free(key).isEmpty,
            count(key, .down) >= CauseLimits.outages
        else {
            return false
        }
        return key.isPosition || CauseLimits.accuses(down: count(key, .down), up: count(key, .up))
    }

    func explanation(_ key: Key, from available: Set<Int>, absorbs: Bool) -> Explanation? {
        let rows = accusedRows(key)
        let up = rows.reduce(0) { $0 + count($1, .up) }
        var targets = rows.reduce(into: Set<Int>()) { $0.formUnion(free($1)) }
        guard !targets.isEmpty else { return nil }
        // Each moment at which an outage is first seen, and which of them may have begun then.
        let moments = targets.map { member($0).onset }
        let sizes = moments.map { moment in
            targets.filter { member($0).earliest <= moment && member($0).onset >= moment }.count
        }
        let most = sizes.max()
        let moment = zip(moments, sizes).filter { $0.1 == most }.map(\.0).max() ?? .zero
        targets = targets.filter { member($0).earliest <= moment && member($0).onset >= moment }
        let earliest = targets.map { member($0).earliest }.max() ?? .zero
        let latest = targets.map { member($0).onset }.min() ?? .zero
        targets.formIntersection(available)
        guard !targets.isEmpty else { return nil }
        var found = Explanation(
            key: key,
            rows: rows,
            targets: targets,
            earliest: earliest,
            latest: latest,
            up: up,
            logChoices: key.isPosition ? Logarithms.logChoose(branches(of: key).count, rows.count) : 0
        )
        var replaced = 0
        if absorbs {
            let down = Set(rows.flatMap { behind($0) }).filter { say($0, key) == .down }
            for old in standing.values.sorted(by: { $0.id < $1.id })
            where !explained(old.id).isDisjoint(with: down) && explained(old.id).isSubset(of: down)
                && old.earliest <= found.latest && old.latest >= found.earliest
            {
                found.absorbed.append(old.id)
                found.absorbedOutages += explained(old.id).count
                found.earliest = max(found.earliest, old.earliest)
                found.latest = min(found.latest, old.latest)
                replaced += self.up(behind: old)
            }
        }
        guard found.outages >= CauseLimits.outages, CauseLimits.accuses(down: found.outages, up: up) else { return nil }
        found.gain = found.targets.count * CauseLimits.unexplained
        found.gain += found.absorbed.count * CauseLimits.cause + replaced * CauseLimits.contradiction
        found.gain -= CauseLimits.cause + up * CauseLimits.contradiction + Int(found.logChoices * 1_000)
        return found.gain > 0 ? found : nil
    }

    func choose(
        among candidates: Set<Key>,
        from available: inout Set<Int>,
        absorbs: Bool,
        limit: Int = .max
    ) -> [Explanation] {
        var chosen: [Explanation] = []
        while true {
            let best = candidates.compactMap { explanation($0, from: available, absorbs: absorbs) }
                .filter { candidate in
                    candidate.outages < limit
                        && !candidate.absorbed.contains { old in chosen.contains { $0.absorbed.contains(old) } }
                }
                .min { one, other in
                    if one.gain != other.gain { return one.gain > other.gain }
                    let (up, otherUp) = (count(one.key, .up), count(other.key, .up))
                    return up != otherUp ? up < otherUp : serials[one.key, default: 0] < serials[other.key, default: 0]
                }
            guard let best else { return chosen }
            chosen.append(best)
            available.subtract(best.targets)
        }
    }

    func refined(_ explanation: Explanation, isPart: Bool = false) -> [Explanation] {
        guard explanation.gain < explanation.targets.count * CauseLimits.unexplained - CauseLimits.cause,
            explanation.absorbed.isEmpty
        else {
            return [explanation]
        }
        let keys = explanation.targets.flatMap { member($0).keys.flatMap { [$0, $0.position].compactMap(\.self) } }
        let candidates = Set(keys).filter {
            isCandidate($0) && $0 != explanation.key && free($0).count >= CauseLimits.outages
        }
        var available = explanation.targets
        let others = choose(among: candidates, from: &available, absorbs: false, limit: explanation.targets.count)
            .flatMap { isPart ? [$0] : refined($0, isPart: true) }
        return others.reduce(0) { $0 + $1.gain } > explanation.gain ? others : [explanation]
    }

    /// The outages that began with an explanation and have none.
    func together(_ explanation: Explanation, _ taken: Set<Int>) -> Int {
        let outside = members.filter {
            $0.value.condition.onset != nil && $0.value.cause == nil && !taken.contains($0.key)
        }
        return outside.values.filter { $0.earliest <= explanation.latest && $0.onset >= explanation.earliest }.count
    }

    func isLocated(_ explanation: Explanation, _ taken: Set<Int>) -> Bool {
        guard explanation.logChoices > 0 else { return true }
        let selected = explanation.outages + together(explanation, taken)
        let random = Hypergeometric(
            population: members.values.filter { $0.condition == .up }.count + selected,
            marked: explanation.outages + count(explanation.key, .up),
            selected: selected
        )
        return random.logTail(explanation.outages) <= Logarithms.log(CauseLimits.place)
    }

    func logChance(_ explanation: Explanation, _ taken: Set<Int>) -> Double {
        let together = together(explanation, taken)
        var experience = background
        experience.countOutages(-explanation.targets.count - together)
        let interval = explanation.targets.map { member($0).interval }.max() ?? .zero
        let chance = experience.logChance(
            of: explanation.outages,
            of: explanation.outages + explanation.up,
            outside: (together, members.values.filter { $0.condition == .up }.count - explanation.up),
            window: (interval + CauseLimits.slack).inSeconds
        )
        let tested = serials.keys.filter { $0.position == nil && behind($0).count >= CauseLimits.outages }.count
        return min(0, chance + explanation.logChoices + Logarithms.log(Double(max(1, tested))))
    }

    func waits(_ explanation: Explanation) -> Bool {
        if explanation.rows.contains(where: { count($0, .failing) > 0 }) { return true }
        // Any member has all risks that all members share; this one is that with the lowest slot in the fast finder.
        return explanation.targets.contains { target in
            member(target).keys.contains { key in
                explanation.targets.allSatisfy { member($0).keys.contains(key) } && count(key, .failing) > 0
                    && count(key, .down) >= explanation.outages
                    && CauseLimits.accuses(down: count(key, .down) + count(key, .failing), up: count(key, .up))
            }
        }
    }

    mutating func establish(_ explanation: Explanation) -> [CauseEvent] {
        let old = explanation.absorbed.compactMap { standing[$0] }
        let id = old.map(\.id).min() ?? nextCause
        if old.isEmpty { nextCause += 1 }
        let oldestWasNamed = standing[id]?.isNamed ?? false
        let accused = accused(explanation)
        let probed = oldestWasNamed || old.contains(where: \.isNamed) ? [] : probes(accused, explanation.rows)
        var events: [CauseEvent] = []
        let moved = explanation.absorbed.reduce(into: explanation.targets) { $0.formUnion(explained($1)) }
        for replaced in old {
            standing[replaced.id] = nil
            if replaced.id == id {
                if replaced.isNamed { events.append(.moved(CommonCause.ID(id))) }
            } else {
                events.append(
                    replaced.isNamed
                        ? .ended(CommonCause.ID(replaced.id), mergedInto: CommonCause.ID(id))
                        : .dropped(CommonCause.ID(replaced.id))
                )
            }
        }
        standing[id] = Standing(
            id: id,
            key: explanation.key,
            rows: Set(explanation.rows),
            accused: accused,
            earliest: explanation.earliest,
            latest: explanation.latest,
            probed: probed,
            isNamed: probed.isEmpty
        )
        for target in moved { assign(target, to: id) }
        if !oldestWasNamed {
            events.append(probed.isEmpty ? .named(CommonCause.ID(id)) : .suspected(CommonCause.ID(id), probe: probed))
        }
        return events
    }

    func accused(_ explanation: Explanation) -> [Risk] {
        func judged(_ key: Key) -> Set<Int> { behind(key).filter { say($0, key) != .nothing } }
        func same(_ key: Key) -> Bool {
            judged(key) == judged(explanation.key) && !acquitted.contains(key)
                && count(key, .down) == count(explanation.key, .down) && count(key, .up) == count(explanation.key, .up)
        }
        // A shared risk is a risk of each.
        guard let first = explanation.targets.first else { return [] }
        return member(first).keys.compactMap { key in
            let row = key.position ?? key
            guard case .risk(let risk) = row, same(row) else { return nil }
            return risk
        }
    }

    func probes(_ accused: [Risk], _ rows: [Key]) -> [String] {
        guard confirmsHops else { return [] }
        let addresses = accused.compactMap(\.address)
        guard addresses.isEmpty else { return addresses }
        // In the order in which branches appeared.
        let ordered = rows.sorted { serials[$0, default: 0] < serials[$1, default: 0] }
        return Array(
            ordered.compactMap { key -> String? in
                if case .branch(_, _, let next) = key, !next.hasPrefix("target ") { next } else { nil }
            }
            .prefix(CauseLimits.confirmations)
        )
    }
}
