/// An answer that says no: the reason, and a short detail for a person.
public struct Failure: Sendable, Hashable {
    /// The reason's stable name.
    public let reason: Reason
    /// What a person reads: `connection refused`.
    public let detail: String

    /// A failure; the detail is the reason's own words unless a closer one is known.
    public init(_ reason: Reason, detail: String? = nil) {
        self.reason = reason
        self.detail = detail ?? reason.words
    }
}
