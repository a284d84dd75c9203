#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Fetch {
    /// An HTTP request and the timeout for its response. It is validated when it is fetched.
    public struct Request: Sendable, ExpressibleByStringLiteral {
        /// The default of ``longestBody-property``: 64 MiB.
        public static let longestBody = 64 * 1_024 * 1_024

        /// The URL: `https://example.net/file`. Its user and password become an `Authorization` (RFC 7617), and the
        /// fragment after a `#` is not sent.
        public var url: String
        /// The method: `GET`.
        public var method: String
        /// Header fields besides those that the protocol needs.
        public var headers: [Header]
        /// The body; none when nil.
        public var body: Body?
        /// How many redirects are followed; none when negative.
        public var follow: Int
        /// How long the server may be silent in one try, by the system's suspending clock. A body may take as long as it
        /// keeps coming.
        public var timeout: Duration
        /// How many bytes of a response's body are kept in memory. A longer one throws ``Fetch/Error/tooLong(limit:)``, and
        /// the rest is not read.
        public var longestBody: Int
        /// Whether the timeout limits the whole try, from the name lookup to the last byte, instead of each silence.
        package var limitsWholeTry = false

        /// A GET by default, which follows ten redirects and whose server may be silent for 30 seconds.
        public init(
            _ url: String,
            method: String = "GET",
            headers: [Header] = [],
            body: Body? = nil,
            follow: Int = 10,
            timeout: Duration = .seconds(30),
            longestBody: Int = Self.longestBody
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.follow = follow
            self.timeout = timeout
            self.longestBody = longestBody
        }

        /// A GET by default, of a Foundation URL.
        public init(_ url: URL, method: String = "GET", headers: [Header] = [], body: Body? = nil) {
            self.init(url.absoluteString, method: method, headers: headers, body: body)
        }

        /// A GET.
        public init(stringLiteral url: String) {
            self.init(url)
        }
    }
}
