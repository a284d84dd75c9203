/// An answer that says no: the reason, and a short detail for a person.
public struct Failure: Sendable, Hashable {
    /// The reason's stable name.
    public let reason: Reason
    /// What a person reads: `connection refused`.
    public let detail: String
    /// Zero for failures without one.
    private let status: UInt16

    /// A failure; the detail is the reason's own words unless a closer one is known.
    public init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
        self.reason = reason
        self.detail = detail ?? reason.words
        status = httpStatus.flatMap(UInt16.init(exactly:)) ?? 0
    }

    /// The status code of an HTTP answer that is not the expected one; nil for other failures.
    public var httpStatus: Int? { status == 0 ? nil : Int(status) }
}

extension Failure: CustomStringConvertible {
    /// The detail.
    public var description: String { detail }
}

extension Failure {
    private static let silence = "the resolver does not answer for "

    /// The look-up of a host's name is still under way, and the probe's time is over.
    public static func awaitingResolver(of host: String) -> Failure {
        Failure(.resolverFailed, detail: "\(silence)\(host)")
    }

    /// Whether the look-up of the name is still under way, so nothing is known about the host.
    public var isAwaitingResolver: Bool {
        reason == .resolverFailed && detail.hasPrefix(Self.silence)
    }
}
