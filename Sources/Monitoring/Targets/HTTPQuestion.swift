/// What is asked over HTTP.
public struct HTTPQuestion: Sendable, Hashable {
    /// Whether the request goes over TLS.
    public var isSecure: Bool
    /// The name or address that is asked.
    public var host: String
    /// The port that is asked.
    public var port: UInt16
    /// The path with its query, beginning with a slash.
    public var path: String
    /// The request and the expected answer.
    public var options: HTTPOptions
    /// What is asked of the certificate; of no use without TLS.
    public var tls: TLSOptions

    /// A request to a host.
    public init(
        isSecure: Bool,
        host: String,
        port: UInt16? = nil,
        path: String = "/",
        options: HTTPOptions = HTTPOptions(),
        tls: TLSOptions = TLSOptions()
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? Self.defaultPort(isSecure: isSecure)
        self.path = path
        self.options = options
        self.tls = tls
    }

    /// The port that a URL need not name.
    public static func defaultPort(isSecure: Bool) -> UInt16 {
        isSecure ? 443 : 80
    }
}
