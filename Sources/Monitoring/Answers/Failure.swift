/// Why a probe failed: a reason, and a short detail for display.
public struct Failure: Sendable, Hashable, Codable {
    /// The reason's stable name.
    public let reason: Reason
    /// Seconds since 1970, zero for none. It fits beside the reason, so that a `Finding` does not grow.
    private var expirySeconds: UInt32 = 0
    /// The text for display: `refused`, `HTTP 503`.
    public let detail: String
    /// The HTTP status; zero for failures without one.
    private let status: UInt16
    /// Whether the name lookup is still in progress, so nothing is known about the host.
    public private(set) var isAwaitingResolver = false

    /// Creates a failure. The detail defaults to the words of the reason.
    public init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
        self.reason = reason
        self.detail = detail ?? reason.words
        status = httpStatus.flatMap(UInt16.init(exactly:)) ?? 0
    }

    /// The failure with secrets replaced in its text.
    package func redacted(by redaction: Redaction) -> Failure {
        var failure = Failure(reason, detail: redaction.text(detail), httpStatus: httpStatus)
        failure.isAwaitingResolver = isAwaitingResolver
        failure.certificateExpiry = certificateExpiry
        return failure
    }

    /// When the peer's certificate expires or expired, in seconds since 1970; nil unless that is the reason. At most the
    /// year 2106.
    package var certificateExpiry: Int64? {
        get { expirySeconds == 0 ? nil : Int64(expirySeconds) }
        set { expirySeconds = newValue.map { UInt32(clamping: $0) } ?? 0 }
    }

    /// The status code of an HTTP reply that is not the expected one; nil for other failures.
    public var httpStatus: Int? { status == 0 ? nil : Int(status) }
}

extension Failure: CustomStringConvertible {
    /// The detail.
    public var description: String { detail }
}

extension Failure {
    /// A failure for a probe whose timeout passed during the name lookup.
    public static func awaitingResolver(of host: String) -> Failure {
        var failure = Failure(.resolverFailed, detail: "resolver timeout for \(host)")
        failure.isAwaitingResolver = true
        return failure
    }
}
