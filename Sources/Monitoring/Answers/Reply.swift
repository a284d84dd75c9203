/// A proper answer, and what it told besides.
///
/// Most answers tell nothing besides, and thousands of them cross at a time: what they tell is kept apart.
public struct Reply: Sendable, Hashable {
    /// Nanoseconds of the round trip; negative where nothing travels.
    private var time: Int64
    private var particulars: Shared<Particulars>?

    private struct Particulars: Sendable, Hashable {
        var phases: [PhaseTime] = []
        var detail: String?
        var concern: String?
        var certificateExpiry: Int64?
        var httpStatus: Int?
    }

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
        time = roundTrip.map { max(0, $0.nanoseconds) } ?? -1
        guard !phases.isEmpty || detail != nil || concern != nil || certificateExpiry != nil || httpStatus != nil else {
            return
        }
        particulars = Shared(
            Particulars(
                phases: phases,
                detail: detail,
                concern: concern,
                certificateExpiry: certificateExpiry,
                httpStatus: httpStatus
            )
        )
    }

    /// The time from asking to the answer; nil where nothing travels, as for a link.
    public var roundTrip: Duration? {
        get { nanoseconds.map { .nanoseconds($0) } }
        set { time = newValue.map { max(0, $0.nanoseconds) } ?? -1 }
    }

    /// The round trip in nanoseconds.
    var nanoseconds: Int64? { time < 0 ? nil : time }

    /// The parts of the round trip, in order; empty for methods that have none.
    public var phases: [PhaseTime] {
        get { particulars?.value.phases ?? [] }
        set { own.phases = newValue }
    }

    /// What a person reads beside the health: `61 days`, `A 192.0.2.1`, `wired`.
    public var detail: String? {
        get { particulars?.value.detail }
        set { own.detail = newValue }
    }

    /// Why an answer that counts is a cause for concern: `the certificate expires in 5 days`. Three in a row degrade
    /// the target, as slow replies do.
    public var concern: String? {
        get { particulars?.value.concern }
        set { own.concern = newValue }
    }

    /// When the peer's certificate expires, in seconds since 1970; nil without one.
    public var certificateExpiry: Int64? {
        get { particulars?.value.certificateExpiry }
        set { own.certificateExpiry = newValue }
    }

    /// The status code of an HTTP answer; nil for other methods.
    public var httpStatus: Int? {
        get { particulars?.value.httpStatus }
        set { own.httpStatus = newValue }
    }

    /// What this one told besides; nothing is kept where it is nothing.
    private var own: Particulars {
        get { particulars?.value ?? Particulars() }
        set { particulars = newValue == Particulars() ? nil : Shared(newValue) }
    }
}

/// A part of a round trip (the words are those of Prometheus's blackbox exporter).
public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Finding the address of the name. The target has no share in it, and so it is no part of the sum that is the round
    /// trip.
    case resolve
    /// From the first packet to the standing connection.
    case connect
    /// The TLS handshake.
    case tls
    /// From the sent request to the first byte of the answer.
    case processing
    /// From the first byte of the answer to the last.
    case transfer
}
