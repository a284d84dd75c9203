/// What an HTTP request is and which answer is expected.
public struct HTTPOptions: Sendable, Hashable {
    /// A header field.
    public struct Header: Sendable, Hashable {
        /// The field's name, which is case-insensitive.
        public var name: String
        /// The field's value.
        public var value: String

        /// Pairs a name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The most of a body that is read.
    public static let longestBody = 1_048_576

    /// The request's method: `GET`.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [Header]
    /// The request's body; none when absent.
    public var bodySent: String?
    /// The status codes that are expected; any of 200…299 when empty.
    public var status: [Int]
    /// A regular expression that must match somewhere in the body; any body will do when absent.
    public var body: String?
    /// How many redirects are followed; the answer after the last one is judged.
    public var follow: Int
    /// How often a probe asks again within its timeout before it has failed.
    public var retries: Int

    /// A GET that expects a status of 200…299 and follows no redirects.
    public init(
        method: String = "GET",
        headers: [Header] = [],
        bodySent: String? = nil,
        status: [Int] = [],
        body: String? = nil,
        follow: Int = 0,
        retries: Int = 0
    ) {
        self.method = method
        self.headers = headers
        self.bodySent = bodySent
        self.status = status
        self.body = body
        self.follow = follow
        self.retries = retries
    }
}
