public import Monitoring

/// What a server said to a request.
public struct FetchAnswer: Sendable, Hashable {
    /// How the body ended.
    public enum Ending: Sendable, Hashable {
        /// The server sent all of it.
        case whole
        /// It is longer than what is kept; the rest was not read.
        case cut
        /// The time ran out.
        case timeout
        /// The connection was lost.
        case lost(Failure)
    }

    /// The status code: `200`.
    public let status: Int
    /// The header fields, in the order in which they came.
    public let headers: [HTTPOptions.Header]
    /// The beginning of the body, or all of it.
    public let body: [UInt8]
    /// How the body ended.
    public var ending: Ending
    /// How long the server asks to be left alone; absent where it says nothing.
    public let retryAfter: Duration?

    /// An answer.
    public init(
        status: Int,
        headers: [HTTPOptions.Header] = [],
        body: [UInt8] = [],
        ending: Ending = .whole,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.ending = ending
        self.retryAfter = retryAfter
    }

    /// The value of the first field of this name; names of fields have no case.
    public subscript(header name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
