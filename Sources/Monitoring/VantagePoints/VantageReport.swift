import ReachBasics

/// What one vantage point says about one target.
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
        self.vantagePoint = vantagePoint.plainLabel(limit: Self.longestName) ?? Self.unnamed
        self.health = health
        self.roundTrip = roundTrip.map { max(.zero, $0) }
        self.detail = detail?.plainLabel(limit: Self.longestDetail)
        self.since = since
        self.sampled = sampled
        self.time = time
    }

    /// The most characters of a name.
    static let longestName = 100
    /// The most characters of a detail.
    static let longestDetail = 200
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
        !isControl && (properties.generalCategory != .format || value == 0x200C || value == 0x200D)
    }
}
