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
