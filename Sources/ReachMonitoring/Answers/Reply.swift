/// A proper reply, with its details.
///
/// Most replies have no details, and thousands of replies cross between event loops at a time. So the details are
/// stored in a box of their details.
public struct Reply: Sendable, Hashable {
    /// Nanoseconds of the round trip; negative for a method that sends no packet.
    private var time: Int64
    private var boxedDetails: Shared<Details>?

    private struct Details: Sendable, Hashable {
        var phases: [PhaseTime] = []
        var detail: String?
        var concern: String?
        var certificateExpiry: Int64?
        var certificate: CertificateIdentity?
        var httpStatus: Int?
    }

    /// The duration of one phase of a round trip.
    public struct PhaseTime: Sendable, Hashable, Codable {
        /// The phase.
        public let phase: Phase
        /// The duration.
        public let duration: Duration

        /// Pairs a phase with its duration.
        public init(_ phase: Phase, _ duration: Duration) {
            self.phase = phase
            self.duration = duration
        }
    }

    /// Creates a reply.
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
        boxedDetails = Shared(
            Details(
                phases: phases,
                detail: detail,
                concern: concern,
                certificateExpiry: certificateExpiry,
                httpStatus: httpStatus
            )
        )
    }

    /// The time from the probe to the reply; nil for a method that sends no packet, such as `link`.
    public package(set) var roundTrip: Duration? {
        get { nanoseconds.map { .nanoseconds($0) } }
        set { time = newValue.map { max(0, $0.nanoseconds) } ?? -1 }
    }

    /// The round trip in nanoseconds.
    var nanoseconds: Int64? { time < 0 ? nil : time }

    /// The phases of the round trip, in order; empty for methods without phases.
    public package(set) var phases: [PhaseTime] {
        get { boxedDetails?.value.phases ?? [] }
        set { details.phases = newValue }
    }

    /// The text shown beside the health: `61 days`, `A 192.0.2.1`, `wired`.
    public package(set) var detail: String? {
        get { boxedDetails?.value.detail }
        set { details.detail = newValue }
    }

    /// Why a proper reply is a warning: `the certificate expires in 5 days`. Three in a row degrade the target, as slow
    /// replies do.
    public package(set) var concern: String? {
        get { boxedDetails?.value.concern }
        set { details.concern = newValue }
    }

    /// When the peer's certificate expires, in seconds since 1970; nil without one.
    public package(set) var certificateExpiry: Int64? {
        get { boxedDetails?.value.certificateExpiry }
        set { details.certificateExpiry = newValue }
    }

    /// The peer's certificate; nil without one. After redirects, that of the first peer.
    public package(set) var certificate: CertificateIdentity? {
        get { boxedDetails?.value.certificate }
        set { if newValue != certificate { details.certificate = newValue } }
    }

    /// The status code of an HTTP reply; nil for other methods.
    public package(set) var httpStatus: Int? {
        get { boxedDetails?.value.httpStatus }
        set { details.httpStatus = newValue }
    }

    /// The details; empty details are not stored.
    private var details: Details {
        get { boxedDetails?.value ?? Details() }
        set { boxedDetails = newValue == Details() ? nil : Shared(newValue) }
    }
}

/// A phase of a round trip, named as in Prometheus's blackbox exporter.
public enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    /// The name lookup. The round trip excludes it, since the target has no part in it.
    case resolve
    /// From the first packet to the established connection.
    case connect
    /// The TLS handshake.
    case tls
    /// From the sent request to the first byte of the reply.
    case processing
    /// From the first byte of the reply to the last.
    case transfer
}
