import ReachBasics

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

    /// When its last sample was taken, or known to be still valid, since the start of the program.
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

    /// Records that the vantage point no longer reports; its last report was at this time.
    mutating func silence(lastReportAt time: Duration) {
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

/// The report of one vantage point on one target.
public struct VantageReport: Sendable, Hashable {
    /// The name of the vantage point: a label's value, without control characters and of limited length.
    public let vantagePoint: String
    /// The health that the vantage point sees: `unknown` if it reports, but not a health, such as the value NaN. Nil if
    /// it no longer reports on the target, such as a series that has ended.
    public let health: Health?
    /// The round trip; nil if it is not known.
    public let roundTrip: Duration?
    /// Why the target is not up, for display, such as `HTTP 503`; nil if that is not known.
    public let detail: String?
    /// When the health began, since the start of this program, which may be before it; nil if that is not known.
    public let since: Duration?
    /// When the sample was taken, since 1970, by the clock of the server that it is read from. It identifies the sample:
    /// the newest one of a vantage point counts, and an equal one is the same sample again.
    public let sampled: Duration
    /// The same time, since the start of this program: the present time minus the age of the sample by the server's
    /// clock. Clocks that differ thus do no harm.
    public let time: Duration

    /// Creates a report. Texts are cleaned and shortened, since they come from elsewhere.
    public init(
        vantagePoint: String,
        health: Health?,
        roundTrip: Duration? = nil,
        detail: String? = nil,
        since: Duration? = nil,
        sampled: Duration,
        time: Duration
    ) {
        self.vantagePoint = vantagePoint.plainLabel(limit: Self.maxNameLength) ?? Self.unnamed
        self.health = health
        self.roundTrip = roundTrip.map { max(.zero, $0) }
        self.detail = detail?.plainLabel(limit: Self.maxDetailLength)
        self.since = since
        self.sampled = sampled
        self.time = time
    }

    /// The most characters of a name.
    static let maxNameLength = 100
    /// The most characters of a detail.
    static let maxDetailLength = 200
    /// The name of a vantage point whose label is missing or empty.
    static let unnamed = "default"
}

extension VantageReport {
    /// The same report, not later than a time.
    func limited(to now: Duration) -> VantageReport {
        guard time > now else { return self }
        return VantageReport(
            vantagePoint: vantagePoint,
            health: health,
            roundTrip: roundTrip,
            detail: detail,
            since: since,
            sampled: sampled,
            time: now
        )
    }
}

extension String {
    /// Returns a label of unknown origin as one line of limited length: control characters and those that change the
    /// direction of text are replaced, and blanks at both ends removed. Nil if nothing is left.
    package func plainLabel(limit: Int) -> String? {
        // The quick answer for most labels.
        let isPlain = utf8.count <= limit && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard !isPlain else { return isEmpty ? nil : self }
        var text = ""
        var count = 0
        for scalar in unicodeScalars {
            guard count < limit else { break }
            text.unicodeScalars.append(scalar.isPlainText ? scalar : "\u{FFFD}")
            count += 1
        }
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : trimmed
    }
}

extension Unicode.Scalar {
    /// Whether the character may be in a name: no control, no line separator, and nothing that changes the direction
    /// of text.
    fileprivate var isPlainText: Bool {
        !isControlOrFormat || value == 0x200C || value == 0x200D
    }
}
