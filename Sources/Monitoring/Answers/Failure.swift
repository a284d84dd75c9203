/// An answer that says no: the reason, and a short detail for a person.
public struct Failure: Sendable, Hashable {
    /// The reason's stable name.
    public let reason: Reason
    /// What a person reads: `connection refused`.
    public let detail: String
    /// The status code of an HTTP answer that is not the expected one; nil for other failures.
    public let httpStatus: Int?

    /// A failure; the detail is the reason's own words unless a closer one is known.
    public init(_ reason: Reason, detail: String? = nil, httpStatus: Int? = nil) {
        self.reason = reason
        self.detail = detail ?? reason.words
        self.httpStatus = httpStatus
    }
}

extension Failure: CustomStringConvertible {
    /// The detail.
    public var description: String { detail }
}
