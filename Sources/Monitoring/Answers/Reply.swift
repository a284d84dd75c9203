/// A proper answer, and what it told besides.
public struct Reply: Sendable, Hashable {
    /// The time from asking to the answer; nil where nothing travels, as for a link.
    public var roundTrip: Duration?
    /// The parts of the round trip, in order; empty for methods that have none.
    public var phases: [PhaseTime] = []
    /// What a person reads beside the health: `61 days`, `A 192.0.2.1`, `wired`.
    public var detail: String?
    /// Why an answer that counts is a cause for concern: `the certificate expires in 5 days`. Three in a row degrade
    /// the target, as slow replies do.
    public var concern: String?
    /// When the peer's certificate expires, in seconds since 1970; nil without one.
    public var certificateExpiry: Int64?
    /// The status code of an HTTP answer; nil for other methods.
    public var httpStatus: Int?

    /// How long a part of a round trip took.
    public struct PhaseTime: Sendable, Hashable {
        /// The part.
        public let phase: Phase
        /// How long it took.
        public let duration: Duration

        /// Pairs a part with its time.
        public init(_ phase: Phase, _ duration: Duration) {
            self.phase = phase
            self.duration = duration
        }
    }

    /// An answer.
    public init(
        roundTrip: Duration?,
        phases: [PhaseTime] = [],
        detail: String? = nil,
        concern: String? = nil,
        certificateExpiry: Int64? = nil,
        httpStatus: Int? = nil
    ) {
        self.roundTrip = roundTrip
        self.phases = phases
        self.detail = detail
        self.concern = concern
        self.certificateExpiry = certificateExpiry
        self.httpStatus = httpStatus
    }
}
