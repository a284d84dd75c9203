public import Monitoring

/// A request and the patience for its answer.
public struct FetchRequest: Sendable {
    /// What a timeout is for.
    public enum TimeoutScope: Sendable, Hashable {
        /// One try, from the look-up of the name to the last byte of the answer.
        case wholeTry
        /// Each silence of the server in a try; a body may take as long as it keeps coming.
        case silence
    }

    /// Where it goes: `https://example.net/hook`.
    public var url: String
    /// The request's method.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [HTTPOptions.Header]
    /// What is sent; nothing when absent.
    public var body: RequestBody?
    /// How many redirects are followed; what the one after the last leads to is not asked.
    public var follow: Int
    /// How long one try, or a silence in it, may take.
    public var timeout: Duration
    /// What the timeout is for.
    public var timeoutScope: TimeoutScope
    /// How many bytes of the answer's body are kept, where it goes nowhere else; the rest is not read.
    public var longestBody: Int

    /// A GET, unless told otherwise, whose answer may take half a minute, and which follows no redirect.
    public init(
        url: String,
        method: String = "GET",
        headers: [HTTPOptions.Header] = [],
        body: RequestBody? = nil,
        follow: Int = 0,
        timeout: Duration = .seconds(30),
        timeoutScope: TimeoutScope = .wholeTry,
        longestBody: Int = HTTPOptions.longestBody
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.follow = follow
        self.timeout = timeout
        self.timeoutScope = timeoutScope
        self.longestBody = longestBody
    }
}

extension FetchRequest {
    /// Adds a header field. What is written out stands above what the URL says.
    public mutating func set(_ header: HTTPOptions.Header) {
        if header.name.lowercased() == "authorization" {
            headers.removeAll { $0.name.lowercased() == "authorization" }
        }
        headers.append(header)
    }
}
