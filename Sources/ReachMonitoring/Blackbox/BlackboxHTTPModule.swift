/// The request of an HTTP module, and the expected response.
package struct BlackboxHTTPModule: Sendable, Hashable {
    /// A search for a pattern in a header field.
    package struct HeaderMatch: Sendable, Hashable {
        /// The name of the field.
        package var name: String
        /// The regular expression.
        package var pattern: BlackboxPattern
        /// Whether a response without the field passes.
        package var mayBeMissing: Bool

        /// Creates a search in the fields of a name.
        package init(_ name: String, _ pattern: BlackboxPattern, mayBeMissing: Bool = false) {
            self.name = name
            self.pattern = pattern
            self.mayBeMissing = mayBeMissing
        }
    }

    /// How the body of the response is decompressed before it is searched.
    package enum Decompression: String, Sendable, Hashable {
        /// It is not.
        case none
        /// As its field `Content-Encoding` says.
        case declared
        /// As gzip or deflate, in any case: another body fails the probe.
        case gzip, deflate
    }

    /// The method: `GET`.
    package var method = "GET"
    /// Header fields of the request.
    package var headers: [HTTPOptions.Header] = []
    /// The credentials of the request; nil for none.
    package var authorization: BlackboxAuthorization?
    /// The body of the request; nil for none.
    package var body: String?
    /// The file with the body of the request; nil for none.
    package var bodyFile: String?
    /// The expected status codes; any of 200…299 when empty.
    package var status: [Int] = []
    /// The expected versions, such as `HTTP/1.1`; any when empty.
    package var versions: [String] = []
    /// The number of redirects that are followed.
    package var follow = 10
    /// Whether a response by TLS fails the probe.
    package var failsIfTLS = false
    /// Whether a response without TLS fails the probe.
    package var failsIfNotTLS = false
    /// Patterns of which none may match in the body.
    package var bodyNot: [BlackboxPattern] = []
    /// Patterns that must all match in the body.
    package var bodyPatterns: [BlackboxPattern] = []
    /// Patterns of which none may match in a header field.
    package var headerNot: [HeaderMatch] = []
    /// Patterns that must all match in a header field.
    package var headerPatterns: [HeaderMatch] = []
    /// The largest body in bytes; a longer one fails the probe. Nil for any.
    package var bodyLimit: Int?
    /// How the body of the response is decompressed.
    package var decompression = Decompression.none
    /// The options for TLS.
    package var tls = TLSOptions()
    /// The proxies of requests.
    package var proxies = Proxies.none
    /// Whether the proxy resolves the name of the target, and the probe does not.
    package var leavesNameToProxy = false

    /// Creates a GET request that expects a status of 200…299.
    package init() {}
}
