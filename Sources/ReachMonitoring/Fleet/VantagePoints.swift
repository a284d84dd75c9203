import ReachBasics

/// The vantage points of one target, with their reports.
///
/// This is the interface for a reader of results, such as that of a Prometheus:
///
/// 1. A target of the fleet is a ``Target`` with the question ``Question/fleet(_:)``. ``FleetQuestion`` has the text of
///    its instance, the quorum, and the time after which a report is stale. No prober probes it:
///    ``Roster/assignments`` and the requests of ``Consequences`` leave it out. It enters the roster by
///    ``Roster/apply(_:at:)``, in ``Settings/targets``, like any other. Clean its name and group with
///    `String.plainLabel(limit:)` if they are labels.
/// 2. Reports on a target are the finding ``Finding/vantageReports(_:_:at:)``: one ``VantageReport`` for each vantage
///    point with something new, in any order; vantage points that are not in it stay as they are. A series that has
///    ended is a report with the health nil.
/// 3. ``Finding/vantagePointsReporting(_:at:)`` says that these vantage points still report, and that their recorded
///    reports are still valid. Stale ones must be read again. A reader that queries only failing and visible targets
///    sends it after each round of queries, so that the reports on the others do not become stale. Before that it sends
///    the reports that have changed, such as `up` for a target that no longer fails.
/// 4. A server that does not answer needs no finding. Its reports become stale, which ``Roster/expire(at:)`` detects:
///    call it regularly, as for hooks; ``Roster/nextExpiry`` includes it. The health is then unknown, with a
///    ``Fault`` of the problem ``Fault/Problem/notReporting``.
/// 5. The verdict is recorded as an observation like that of a probe, so that thresholds, hooks, flapping and statistics
///    work as for other targets. ``Consequences/observations`` has it, for those that are not in the findings: the history
///    file, lines and metrics.
///
/// The fold does not depend on the order of the reports. The number of vantage points is bounded.
package struct VantagePoints: Sendable, Hashable {
    /// The most vantage points of a target. Of more, those with the newest samples stay.
    package static let capacity = 128

    /// The vantage points in the order of their names.
    package private(set) var points: [VantagePoint] = []
    /// Whether some that report see the target down, and others see it reachable.
    package private(set) var isDisputed = false
    /// The health of the verdict that was recorded last; nil if the next one is recorded in any case.
    var recordedHealth: Health?
    /// The latest time to which a recorded verdict was dated, in nanoseconds.
    var datedNanoseconds = Int64.min

    /// Creates the state before the first report.
    package init() {}

    /// The vantage point of a name; nil if it has not reported.
    package subscript(name: String) -> VantagePoint? {
        let index = index(of: name)
        return index < points.count && points[index].name == name ? points[index] : nil
    }

    /// Records reports, in any order.
    ///
    /// - Parameter lastReports: when each vantage point last reported, over all targets.
    /// - Returns: whether a sample is new, or a vantage point has ended.
    mutating func record(
        _ reports: [VantageReport],
        at now: Duration,
        staleAfter: Duration,
        lastReports: [String: Duration] = [:]
    ) -> Bool {
        var isNew = false
        for report in reports where record(report.limited(to: now), staleAfter: staleAfter) { isNew = true }
        guard isNew else { return false }
        // A sample may be stale when it arrives.
        silence(at: now, staleAfter: staleAfter, lastReports: lastReports)
        return true
    }

    private mutating func record(_ report: VantageReport, staleAfter: Duration) -> Bool {
        let index = index(of: report.vantagePoint)
        if index < points.count, points[index].name == report.vantagePoint {
            return points[index].record(report, staleAfter: staleAfter)
        }
        points.insert(VantagePoint(report), at: index)
        guard points.count > Self.capacity else { return true }
        let oldest = points.indices.min { points[$0].age(isBefore: points[$1]) }
        guard let oldest else { return true }
        points.remove(at: oldest)
        return oldest != index
    }

    /// The index of a name, or that at which it is to be inserted.
    private func index(of name: String) -> Int {
        points.partitioningIndex { $0.name >= name }
    }

    /// When the next vantage point becomes stale, unless it reports; nil if none does.
    ///
    /// - Parameter lastReports: when each vantage point last reported, over all targets.
    func deadline(staleAfter: Duration, lastReports: [String: Duration]) -> Duration? {
        var first: Duration?
        for point in points where point.isReporting {
            let deadline = max(point.time, lastReports[point.name] ?? point.time) + staleAfter
            first = min(first ?? deadline, deadline)
        }
        return first
    }

    /// Marks the vantage points whose reports are stale.
    mutating func silence(at now: Duration, staleAfter: Duration, lastReports: [String: Duration]) {
        for (index, point) in points.enumerated() where point.isReporting {
            let last = max(point.time, lastReports[point.name] ?? point.time)
            guard last + staleAfter <= now else { continue }
            points[index].silence(lastReportAt: last)
        }
        updateDispute()
    }

    private mutating func updateDispute() {
        let isDown = points.contains { $0.isReporting && $0.health == .down }
        isDisputed = isDown && points.contains { $0.isReporting && $0.health.isReachable }
    }
}

extension VantagePoint {
    /// Whether this one is removed before another, to make room for a new vantage point.
    fileprivate func age(isBefore other: VantagePoint) -> Bool {
        (sampledNanoseconds, name) < (other.sampledNanoseconds, other.name)
    }
}

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
        guard after.record(reports, at: now, staleAfter: question.staleAfter, lastReports: vantage.lastReports) else {
            return
        }
        store(after, insteadOf: before, of: position, at: now)
        if after.points.map(\.name) != before.points.map(\.name) { causes?.noteRisks(of: states[position].id) }
        vantage.advanceDeadline(to: after.deadline(staleAfter: question.staleAfter, lastReports: vantage.lastReports))
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
            let first = before.deadline(staleAfter: question.staleAfter, lastReports: vantage.lastReports)
            guard let first, first <= now else {
                vantage.advanceDeadline(to: first)
                continue
            }
            var after = before
            after.silence(at: now, staleAfter: question.staleAfter, lastReports: vantage.lastReports)
            store(after, insteadOf: before, of: position, at: now)
            vantage.advanceDeadline(
                to: after.deadline(staleAfter: question.staleAfter, lastReports: vantage.lastReports)
            )
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
        if !after.isEquivalent(to: before) { remember(position, at: now) }
    }
}

extension VantagePoints {
    /// Whether the vantage points and their healths are the same, so that only figures differ.
    fileprivate func isEquivalent(to other: VantagePoints) -> Bool {
        points.count == other.points.count
            && zip(points, other.points).allSatisfy {
                $0.name == $1.name && $0.health == $1.health && $0.isReporting == $1.isReporting
            }
    }
}
