public import Monitoring

/// A request and the patience for its answer.
public struct FetchRequest: Sendable, Hashable {
    /// Where it goes: `https://example.net/hook`.
    public var url: String
    /// The request's method.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [HTTPOptions.Header]
    /// What is sent; nothing when absent.
    public var body: String?
    /// How long one try may take, from the look-up of the name to the last byte of the answer.
    public var timeout: Duration
    /// How many bytes of the answer's body are kept; the rest is not read.
    public var longestBody: Int

    /// A GET, unless told otherwise, whose answer may take half a minute.
    public init(
        url: String,
        method: String = "GET",
        headers: [HTTPOptions.Header] = [],
        body: String? = nil,
        timeout: Duration = .seconds(30),
        longestBody: Int = HTTPOptions.longestBody
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.longestBody = longestBody
    }
}
