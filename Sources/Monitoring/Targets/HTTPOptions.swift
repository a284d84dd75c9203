/// An HTTP request and the expected reply.
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

    /// The most bytes of a body that are read.
    public static let maxBodyLength = 1_048_576

    /// The request's method: `GET`.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [Header]
    /// The request's body; nil for none.
    public var bodySent: String?
    /// The status codes that are expected; any of 200…299 when empty.
    public var status: [Int]
    /// A regular expression that must match somewhere in the body; nil accepts any body.
    public var body: String?
    /// A regular expression that must match nowhere in the body.
    public var bodyNot: String?
    /// The checks of values in the body, which must be JSON if there are any.
    public var json: [JSONCheck]
    /// The checks of header fields of the response.
    public var responseHeaders: [HeaderCheck]
    /// The number of redirects that are followed; the reply after the last one is judged.
    public var follow: Int
    /// The number of retries of a probe within its timeout.
    public var retries: Int

    /// The proxies that requests are sent by.
    package var proxies = Proxies.none

    /// Creates options; by default a GET that expects a status of 200…299 and follows no redirects.
    public init(
        method: String = "GET",
        headers: [Header] = [],
        bodySent: String? = nil,
        status: [Int] = [],
        body: String? = nil,
        bodyNot: String? = nil,
        json: [JSONCheck] = [],
        responseHeaders: [HeaderCheck] = [],
        follow: Int = 0,
        retries: Int = 0
    ) {
        self.method = method
        self.headers = headers
        self.bodySent = bodySent
        self.status = status
        self.body = body
        self.bodyNot = bodyNot
        self.json = json
        self.responseHeaders = responseHeaders
        self.follow = follow
        self.retries = retries
    }
}

extension HTTPOptions {
    /// The value of `User-Agent` in every request, unless the user sets another one.
    package static let userAgent = "reach/\(ReachVersion.current)"

    /// The fields that frame a request, in lower case. They follow from the request and cannot be set.
    package static let framingFields: Set<String> = ["connection", "content-length", "transfer-encoding"]
}

extension StringProtocol {
    /// Whether the text is a `token`, the form of methods and field names (RFC 9110 §5.6.2).
    package var isHTTPToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                default: "0123456789!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
