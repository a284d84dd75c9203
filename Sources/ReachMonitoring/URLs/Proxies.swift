import ReachBasics

/// The proxies for HTTP requests: one for all, or those of the environment, as curl reads them (curl(1), "Environment").
///
/// The environment's are `http_proxy`, `https_proxy` or `HTTPS_PROXY`, `all_proxy` or `ALL_PROXY` for schemes without one
/// of their own, and `no_proxy` or `NO_PROXY` for hosts without a proxy. `HTTP_PROXY` is ignored: a web server passes a
/// client's `Proxy` field to CGI scripts by that name. An empty variable counts as unset.
package struct Proxies: Sendable, Hashable {
    private struct Source: Sendable, Hashable {
        /// The variable; nil if the URL is not from the environment.
        let variable: String?
        let url: String
    }

    private let plain: Source?
    private let secure: Source?
    private let exceptions: ProxyExceptions

    /// No proxy.
    package static let none = Proxies(environment: [:])

    /// Reads the environment. The URL of a proxy is parsed when it is needed.
    package init(environment: [String: String]) {
        let first = { (names: [String]) in
            names.lazy.compactMap { name in environment[name].map { Source(variable: name, url: $0) } }
                .first { !$0.url.isEmpty }
        }
        let rest = ["all_proxy", "ALL_PROXY"]
        plain = first(["http_proxy"] + rest)
        secure = first(["https_proxy", "HTTPS_PROXY"] + rest)
        exceptions = ProxyExceptions(first(["no_proxy", "NO_PROXY"])?.url ?? "")
    }

    /// One proxy for all requests.
    ///
    /// - Throws: ``URLProblem`` for an invalid URL. It does not contain the password.
    package init(_ url: String) throws(URLProblem) {
        plain = Source(variable: nil, url: url)
        secure = plain
        exceptions = ProxyExceptions("")
        try check()
    }

    /// Checks the URLs of all proxies.
    ///
    /// - Throws: ``URLProblem`` for the first invalid one. It does not contain the password.
    package func check() throws(URLProblem) {
        for source in [plain, secure] {
            if let source { _ = try Self.proxy(source) }
        }
    }

    /// The proxy for a request; nil where its host is connected to directly.
    ///
    /// - Throws: ``URLProblem`` for an invalid URL. It does not contain the password.
    package func proxy(for question: HTTPQuestion) throws(URLProblem) -> Proxy? {
        guard let source = question.isSecure ? secure : plain, !exceptions.contain(question.host) else { return nil }
        return try Self.proxy(source)
    }

    /// `[http://][USER:PASSWORD@]HOST[:PORT][/]`; the default port is curl's, 1080.
    private static func proxy(_ source: Source) throws(URLProblem) -> Proxy {
        func problem(_ text: String) -> URLProblem {
            let prefix = source.variable.map { "\($0): " } ?? ""
            return URLProblem(prefix + text, hint: "such as http://proxy.example:3128")
        }
        var rest = source.url[...]
        if let separator = rest.firstRange(of: "://") {
            let scheme = rest[..<separator.lowerBound]
            guard scheme.lowercased() == "http" else {
                throw problem("unsupported scheme \"\(scheme)\"")
            }
            rest = rest[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        var credentials: String?
        if let at = rest.lastIndex(of: "@") {
            guard let plain = rest[..<at].percentDecoded else {
                throw problem("invalid percent-encoding in the user or password")
            }
            credentials = plain
            rest = rest[rest.index(after: at)...]
        }
        do throws(URLProblem) {
            guard case .http(let endpoint) = try Question("http://\(rest)"), endpoint.path == "/" else {
                throw URLProblem("invalid host \"\(rest)\"")
            }
            // The default port of http:// is not that of a proxy.
            let isExplicit = rest.hasSuffix(":80")
            return Proxy(
                host: endpoint.host,
                port: endpoint.port == 80 && !isExplicit ? 1_080 : endpoint.port,
                credentials: credentials
            )
        } catch {
            throw problem(error.description)
        }
    }
}

/// An HTTP proxy.
package struct Proxy: Sendable, Hashable {
    /// Its name or address.
    package let host: String
    /// The port that it listens on.
    package let port: UInt16
    /// `USER:PASSWORD`; nil without authentication.
    package let credentials: String?
}

/// The hosts without a proxy: the value of `no_proxy`, with commas or blanks between its entries.
///
/// An entry is one of these:
///
/// * a name, with or without a dot in front, which also matches its subdomains
/// * an address
/// * a network, `192.0.2.0/24`
/// * `*` as the only entry, which matches all hosts
package struct ProxyExceptions: Sendable, Hashable {
    private let entries: [String]

    package init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.map { entry in
            let name = entry.drop { $0 == "." }
            let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
            return isASCII ? entry.lowercased() : name.asciiDomainName ?? entry.lowercased()
        }
    }

    /// Whether a host is on the list.
    package func contain(_ host: String) -> Bool {
        if entries == ["*"] { return true }
        let name = Self.trimmed(host.lowercased())
        let address = IPAddressText.bytes(of: name)
        return entries.contains { entry in
            if let address { return Self.isIn(entry, address) }
            let entry = Self.trimmed(entry.hasPrefix(".") ? String(entry.dropFirst()) : entry)
            return !entry.isEmpty && (name == entry || name.hasSuffix(".\(entry)"))
        }
    }

    /// A name without the trailing dot, an address without brackets and zone.
    private static func trimmed(_ host: String) -> String {
        var host = host
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.contains(":") { return String(host.prefix { $0 != "%" }) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func isIn(_ entry: String, _ address: [UInt8]) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let text = trimmed(String(parts[0]))
        guard let network = IPAddressText.bytes(of: text), network.count == address.count else { return false }
        guard parts.count == 2 else { return network == address }
        // The bits of an IPv4-mapped network count those before the IPv4 address.
        let first = text.contains(":") ? 128 - network.count * 8 : 0
        guard let bits = Int(parts[1]).map({ $0 - first }), (0...address.count * 8).contains(bits) else { return false }
        return zip(network, address).enumerated().allSatisfy { index, pair in
            let kept = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            return pair.0 & mask == pair.1 & mask
        }
    }
}
