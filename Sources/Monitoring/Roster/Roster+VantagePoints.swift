/// Targets of the fleet, which vantage points report on.
extension Roster {
    /// Records reports on a target. A paused or blocked target is not judged, but its reports are kept.
    mutating func record(
        _ reports: [VantageReport],
        of position: Int,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard case .fleet(let question) = states[position].target.question else { return }
        let before = states[position].vantagePoints ?? VantagePoints()
        var after = before
        guard after.record(reports, at: now, staleAfter: question.staleAfter, heard: vantage.heard) else { return }
        store(after, insteadOf: before, of: position, at: now)
        vantage.advanceDeadline(to: after.deadline(staleAfter: question.staleAfter, heard: vantage.heard))
        judgeVantagePoints(of: position, hasNewSample: true, at: now, into: &consequences)
    }

    /// Marks the vantage points whose reports are stale, and judges their targets without them.
    mutating func expireVantagePoints(at now: Duration, into consequences: inout Consequences) {
        guard let deadline = vantage.deadline, deadline <= now else { return }
        vantage.deadline = nil
        for position in states.indices {
            guard let before = states[position].vantagePoints,
                case .fleet(let question) = states[position].target.question
            else { continue }
            let first = before.deadline(staleAfter: question.staleAfter, heard: vantage.heard)
            guard let first, first <= now else {
                vantage.advanceDeadline(to: first)
                continue
            }
            var after = before
            after.silence(at: now, staleAfter: question.staleAfter, heard: vantage.heard)
            store(after, insteadOf: before, of: position, at: now)
            vantage.advanceDeadline(to: after.deadline(staleAfter: question.staleAfter, heard: vantage.heard))
            judgeVantagePoints(of: position, hasNewSample: false, at: now, into: &consequences)
        }
    }

    /// Judges targets of the fleet by what is known of them, when they are no longer paused or blocked.
    mutating func judgeVantagePoints(of ids: [Target.ID], at now: Duration, into consequences: inout Consequences) {
        for case let position? in ids.map({ positions[$0] }) where !states[position].target.question.method.probes {
            judgeVantagePoints(of: position, hasNewSample: false, at: now, into: &consequences)
        }
    }

    /// Records the verdict like the outcome of a probe, if it is new or follows from a new sample.
    private mutating func judgeVantagePoints(
        of position: Int,
        hasNewSample: Bool,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        guard states[position].isProbed, var points = states[position].vantagePoints, !points.points.isEmpty,
            case .fleet(let question) = states[position].target.question
        else { return }
        let verdict = points.verdict(under: question.quorum)
        guard points.recordedHealth != verdict.health || hasNewSample && verdict.health != .unknown else { return }
        // Never before a verdict that was recorded, so that a later verdict does not count as superseded.
        let dated = min(now.nanoseconds, max(points.datedNanoseconds, (verdict.date ?? now).nanoseconds))
        // An outage may have begun while nothing was known about the target.
        if points.datedNanoseconds == .min || verdict.health == .down && states[position].health == .unknown {
            states[position].judge.begin(at: .nanoseconds(dated))
        }
        points.recordedHealth = verdict.health
        if verdict.health != .unknown { points.datedNanoseconds = dated }
        states[position].vantagePoints = points
        let observation = Observation(
            target: states[position].id,
            sequence: states[position].totals.sent + 1,
            sent: .nanoseconds(dated),
            time: now,
            outcome: verdict.outcome
        )
        consequences.observations.append(observation)
        record(observation, at: position, into: &consequences)
    }

    private mutating func store(
        _ after: VantagePoints,
        insteadOf before: VantagePoints,
        of position: Int,
        at now: Duration
    ) {
        states[position].vantagePoints = after
        vantage.replace(before.points, with: after.points)
        if !after.says(theSameAs: before) { remember(position, at: now) }
    }
}

extension VantagePoints {
    /// Whether the vantage points and their healths are the same, so that only figures differ.
    fileprivate func says(theSameAs other: VantagePoints) -> Bool {
        points.count == other.points.count
            && zip(points, other.points).allSatisfy {
                $0.name == $1.name && $0.health == $1.health && $0.isReporting == $1.isReporting
            }
    }
}
