/// An HTTP request and its expected reply.
public struct HTTPQuestion: Sendable, Hashable {
    /// Whether the request goes over TLS.
    public var isSecure: Bool
    /// The host: a name or an address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The path with its query, beginning with a slash.
    public var path: String
    /// The request and the expected reply.
    public var options: HTTPOptions
    /// The options for the certificate, of servers that redirects lead to as well; ignored without TLS.
    public var tls: TLSOptions

    /// Creates a request; the port defaults to that of the scheme.
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

    /// The default port of the scheme.
    public static func defaultPort(isSecure: Bool) -> UInt16 {
        isSecure ? 443 : 80
    }
}

extension HTTPQuestion {
    /// The proxy that the request is sent by; nil without one.
    package var proxy: Proxy? {
        // The URLs of proxies in settings are checked when they are read.
        options.proxies == .none ? nil : try? options.proxies.proxy(for: self)
    }

    /// Whether the request, or one that a redirect leads to, may go over TLS.
    package var mayUseTLS: Bool { isSecure || options.follow > 0 }

    /// The host that is connected to: the proxy, or the host itself.
    package var peerHost: String { proxy?.host ?? host }
}

extension HTTPQuestion {
    /// The path for the request line. Each byte that a path may not contain (RFC 3986 §2.1, RFC 9112 §3.2) is
    /// percent-encoded, as browsers do.
    public var requestTarget: String {
        path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || Self.plain.contains(byte) {
                text.unicodeScalars.append(scalar)
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The characters besides letters that are not encoded. `#` is not among them: fragments are never sent.
    private static let plain = Set("0123456789-._~:/?[]@!$&'()*+,;=%".utf8)
}
