#if Fetch
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Fetch {
    /// An HTTP request, with the timeout and the limit for its response. It is validated when it is fetched.
    public struct Request: Sendable, ExpressibleByStringInterpolation {
        /// The default of ``maximumBodySize``, in bytes: 64 MiB.
        public static let defaultMaximumBodySize = 64 * 1_024 * 1_024

        /// The URL: `https://example.net/file`. Its user and password become an `Authorization` (RFC 7617), and the
        /// fragment after a `#` is not sent.
        public var url: String
        /// The method: `GET`.
        public var method: String
        /// Header fields besides those that the protocol needs: `[.accept: "text/plain"]`.
        public var headers: HTTPFields
        /// The name of a header field, given as a text, that is invalid or has an invalid value.
        private(set) var invalidHeader: String?
        /// The body; nil for none.
        public var body: Body?
        /// The maximum number of redirects that are followed; negative counts as zero.
        public var redirectLimit: Int
        /// How long the server may send nothing in one try, by the system's suspending clock. The body as a whole may
        /// take longer. Negative counts as zero.
        public var timeout: Duration
        /// The longest body of a response that is kept in memory, in bytes. A longer one throws
        /// ``Fetch/Error/tooLong(limit:)``, and the rest is not read.
        public var maximumBodySize: Int
        /// Whether the timeout limits the whole try, from the name lookup to the last byte, instead of each pause of
        /// the server.
        package var limitsWholeTry = false
        /// Whether a compressed body is decompressed. The header field `Accept-Encoding` permits the server to compress.
        package var isDecompressed = false
        /// How a body that was cut off is continued; nil to fetch it from its beginning.
        var resumption: Resumption?

        /// Whether the request may be sent twice: its method is idempotent (RFC 9110 §9.2.2), or it has an
        /// `Idempotency-Key`.
        var isRepeatable: Bool {
            Self.idempotentMethods.contains(method) || headers["Idempotency-Key"] != nil
        }

        private static let idempotentMethods: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]

        /// Creates a request: by default a GET that follows ten redirects, with a timeout of 30 seconds.
        public init(
            _ url: String,
            method: String = "GET",
            headers: HTTPFields = [:],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.redirectLimit = redirectLimit
            self.timeout = timeout
            self.maximumBodySize = maximumBodySize
        }

        /// Creates a request for a Foundation URL: by default a GET that follows ten redirects, with a timeout of 30
        /// seconds.
        public init(
            _ url: URL,
            method: String = "GET",
            headers: HTTPFields = [:],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url.absoluteString,
                method: method,
                headers: headers,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
        }

        /// Creates a request with header fields whose names are texts: `["Accept": "text/plain"]`. An invalid field is an
        /// error when the request is fetched.
        public init(
            _ url: String,
            method: String = "GET",
            headers: [String: String],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url,
                method: method,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
            for (text, value) in headers.sorted(by: { $0.key < $1.key }) {
                if let name = HTTPField.Name(text), value.isFieldValue {
                    self.headers.append(HTTPField(name: name, value: value))
                } else {
                    invalidHeader = text
                }
            }
        }

        /// Creates a request for a Foundation URL, with header fields whose names are texts.
        public init(
            _ url: URL,
            method: String = "GET",
            headers: [String: String],
            body: Body? = nil,
            redirectLimit: Int = 10,
            timeout: Duration = .seconds(30),
            maximumBodySize: Int = Self.defaultMaximumBodySize
        ) {
            self.init(
                url.absoluteString,
                method: method,
                headers: headers,
                body: body,
                redirectLimit: redirectLimit,
                timeout: timeout,
                maximumBodySize: maximumBodySize
            )
        }

        /// Creates a GET request.
        public init(stringLiteral url: String) {
            self.init(url)
        }
    }
}
#endif
