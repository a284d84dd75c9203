/// The newest report of a vantage point on a target.
package struct VantagePoint: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The health that it reported last.
    package private(set) var health: Health
    /// Whether the report counts: the vantage point still reports. Otherwise its last report is shown with its age, and
    /// judges nothing.
    package private(set) var isReporting: Bool
    /// Whether the vantage point no longer reports on this target, but perhaps on others.
    private(set) var isWithdrawn: Bool
    /// Nanoseconds of the round trip; negative for none.
    private var nanoseconds: Int64
    private var boxedDetail: Shared<String>?
    /// See ``VantageReport/sampled``, in nanoseconds.
    private(set) var sampledNanoseconds: Int64
    private var timeNanoseconds: Int64
    private var sinceNanoseconds: Int64

    /// Creates a vantage point from its first report.
    init(_ report: VantageReport) {
        name = report.vantagePoint
        health = report.health ?? .unknown
        isReporting = report.health != nil
        isWithdrawn = report.health == nil
        nanoseconds = report.roundTrip?.nanoseconds ?? -1
        boxedDetail = report.detail.map(Shared.init)
        sampledNanoseconds = report.sampled.nanoseconds
        timeNanoseconds = report.time.nanoseconds
        sinceNanoseconds = report.start.nanoseconds
    }

    /// The round trip that it reported last; nil if it is not known.
    package var roundTrip: Duration? { nanoseconds < 0 ? nil : .nanoseconds(nanoseconds) }

    /// Why the target is not up, for display; nil if that is not known.
    package var detail: String? { boxedDetail?.value }

    /// When its last sample was taken, or known to hold still, since the start of the program.
    package var time: Duration { .nanoseconds(timeNanoseconds) }

    /// When the health began, as far as it is known, since the start of the program.
    package var since: Duration { .nanoseconds(sinceNanoseconds) }

    /// Whether the report counts in the quorum: the vantage point reports, and knows the health.
    package var isVoter: Bool { isReporting && health != .unknown }

    /// Records a report.
    ///
    /// The newest sample counts, whatever the order of the reports. Of two reports on the same sample, the worse counts.
    /// A server whose clock was set back is believed when its newer samples have become stale.
    ///
    /// - Returns: whether it is a new sample, or differs from the one before.
    mutating func record(_ report: VantageReport, staleAfter: Duration) -> Bool {
        let (sampled, time) = (report.sampled.nanoseconds, report.time.nanoseconds)
        guard let health = report.health else {
            guard sampled >= sampledNanoseconds else { return false }
            (sampledNanoseconds, timeNanoseconds) = (sampled, max(time, timeNanoseconds))
            guard !isWithdrawn else { return false }
            (isReporting, isWithdrawn) = (false, true)
            return true
        }
        let isNewer = sampled > sampledNanoseconds || time > timeNanoseconds + staleAfter.nanoseconds
        if !isNewer {
            guard sampled == sampledNanoseconds, !isWithdrawn, isBetter(than: report) else { return false }
        }
        if isNewer { (sampledNanoseconds, timeNanoseconds) = (sampled, time) }
        // A vantage point that was restarted may know a later beginning than was observed.
        let start = report.start.nanoseconds
        // After a silence, its failure may be another one.
        sinceNanoseconds = health != self.health || !isReporting ? start : min(sinceNanoseconds, start)
        (self.health, isReporting, isWithdrawn) = (health, true, false)
        nanoseconds = report.roundTrip?.nanoseconds ?? -1
        if report.detail != detail { boxedDetail = report.detail.map(Shared.init) }
        return true
    }

    /// Whether another report on the same sample counts instead. One of two different ones always does.
    private func isBetter(than report: VantageReport) -> Bool {
        let (one, other) = (health.severity, report.health?.severity ?? -1)
        guard one == other else { return one < other }
        let roundTrip = report.roundTrip?.nanoseconds ?? -1
        guard nanoseconds == roundTrip else { return nanoseconds < roundTrip }
        return detail ?? "" < report.detail ?? ""
    }

    /// Records that the vantage point no longer reports; it was heard last at this time.
    mutating func silence(heardAt time: Duration) {
        timeNanoseconds = max(timeNanoseconds, time.nanoseconds)
        isReporting = false
    }
}

extension VantageReport {
    /// When the health began, as far as it is known.
    fileprivate var start: Duration { min(since ?? time, time) }
}

extension Health {
    /// The order of the healths, the best first.
    fileprivate var severity: Int {
        switch self {
        case .unknown: 0
        case .up: 1
        case .degraded: 2
        case .down: 3
        }
    }
}
