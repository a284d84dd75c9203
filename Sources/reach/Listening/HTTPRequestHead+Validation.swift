import NIOHTTP1

extension HTTPRequestHead {
    /// Performs the checks that NIO's parser leaves to servers.
    ///
    /// On a loopback address, a request with another host is refused. Such a name resolves to this machine by DNS rebinding,
    /// so that a page of another site could read the response.
    ///
    /// - Parameter isLoopback: Whether the listener's address is a loopback address.
    func validate(isLoopback: Bool) throws(RequestError) {
        // A line break in a value is an obsolete line folding (RFC 9112 §5.2).
        guard !headers.contains(where: { $0.value.unicodeScalars.contains(where: \.isControl) }) else {
            throw .malformed
        }
        // RFC 9112 §3.2: a server must refuse an HTTP/1.1 request without a Host field, and any request with two.
        let hosts = headers["Host"]
        guard hosts.count == 1 || (hosts.isEmpty && version == .http1_0) else { throw .malformed }
        // An HTTP/1.0 request may have no Host field; browsers do not send HTTP/1.0.
        guard isLoopback, let host = uri.origin ?? hosts.first else { return }
        guard host.isLoopbackHost else { throw .misdirected }
    }

    /// The path, without the query.
    var path: String {
        String(uri.prefix { $0 != "?" }).withoutOrigin
    }
}

extension String {
    /// The path of a request target in absolute form, `http://host/path` (RFC 9112 §3.2.2); the string itself if it is a path.
    fileprivate var withoutOrigin: String {
        guard let scheme = firstRange(of: "://"), !hasPrefix("/") else { return self }
        let rest = self[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    /// The host and port of a request target in absolute form; nil if it is a path.
    fileprivate var origin: String? {
        guard let scheme = firstRange(of: "://"), !hasPrefix("/") else { return nil }
        return String(self[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }

    /// Whether a host, with or without a port, is `localhost` or a loopback address. NIO's parser keeps trailing blanks.
    fileprivate var isLoopbackHost: Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var host = lowercased()[...]
        while host.last == " " || host.last == "\t" { host.removeLast() }
        // The digits of a port, after a colon that is not within brackets.
        let name = host.utf8.reversed().drop { digits.contains($0) }
        if name.first == UInt8(ascii: ":"), name.dropFirst().first != UInt8(ascii: ":") {
            host.removeLast(host.utf8.count - name.count + 1)
        }
        if ["[::1]", "localhost", "localhost."].contains(host) { return true }
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].elementsEqual("127".utf8)
            && parts.allSatisfy { part in part.allSatisfy(digits.contains) && UInt8(Substring(part)) != nil }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is not allowed in the value of a header field (RFC 9110 §5.5).
    fileprivate var isControl: Bool {
        value == 0x7F || (value < 0x20 && value != 0x09)
    }
}
