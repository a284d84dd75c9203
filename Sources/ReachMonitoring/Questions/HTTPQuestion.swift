import ReachBasics

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
        // Without "#": fragments are never sent.
        path.percentEncoded(except: "-._~:/?[]@!$&'()*+,;=%")
    }
}

extension HTTPQuestion {
    /// Whether a redirect with this status is followed. A status that the options expect explicitly is not.
    public func isFollowed(_ status: Int) -> Bool {
        options.follow > 0 && [301, 302, 303, 307, 308].contains(status) && !options.status.contains(status)
    }

    /// Returns the request after a redirect (RFC 9110 §15.4); nil for an invalid location.
    public func redirected(by status: Int, to location: String) -> HTTPQuestion? {
        guard var next = target(of: location) else { return nil }
        next.options = options
        next.options.follow -= 1
        next.tls = tls
        if status == 303 && options.method != "HEAD" || status <= 302 && options.method == "POST" {
            next.options.method = "GET"
            next.options.bodySent = nil
        }
        // Any header field may contain a secret: APIs use their own names for keys.
        if !hasSameOrigin(as: next) { next.options.headers = [] }
        if next.host.lowercased() != host.lowercased() { next.tls.serverName = nil }
        return next
    }

    /// Whether two requests have the same scheme, host and port (RFC 6454 §5).
    private func hasSameOrigin(as other: HTTPQuestion) -> Bool {
        isSecure == other.isSecure && port == other.port && host.lowercased() == other.host.lowercased()
    }

    /// Resolves a reference against the request's URL (RFC 3986 §5.2).
    private func target(of location: String) -> HTTPQuestion? {
        let reference = location.prefix { $0 != "#" }
        guard reference.utf8.count <= 8_192 else { return nil }
        let scheme = isSecure ? "https" : "http"
        if reference.hasPrefix("//") { return Self.parse("\(scheme):\(reference)") }
        let lowercased = reference.prefix(8).lowercased()
        if lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") { return Self.parse(String(reference)) }
        let first = reference.prefix { !"/?".contains($0) }
        guard !first.contains(":") else { return nil }
        var next = self
        let base = path.prefix { $0 != "?" }
        switch reference.first {
        case nil: next.path = path
        case "/": next.path = Self.withoutDots(reference)
        case "?": next.path = base + String(reference)
        default:
            let folder = base[...(base.lastIndex(of: "/") ?? base.startIndex)]
            next.path = Self.withoutDots(Substring(folder + reference))
        }
        return next
    }

    private static func parse(_ url: String) -> HTTPQuestion? {
        guard case .http(let question)? = try? Question(url) else { return nil }
        return question
    }

    /// Resolves the segments `.` and `..` (RFC 3986 §5.2.4).
    private static func withoutDots(_ text: Substring) -> String {
        let query = text.firstIndex(of: "?").map { text[$0...] }
        let path = text.prefix { $0 != "?" }
        var segments: [Substring] = []
        let all = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in zip(all.indices, all) {
            let isLast = index == all.index(before: all.endIndex)
            switch segment {
            case ".":
                if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default:
                segments.append(segment)
            }
        }
        return "/" + segments.joined(separator: "/") + (query.map { String($0) } ?? "")
    }
}
