import ReachBasics
package import ReachMonitoring

/// The cookies of one chain of redirects (RFC 6265, and the name prefixes of RFC 6265bis). Cookies of a response are sent with
/// the later requests that they are meant for.
///
/// There is no list of public suffixes. Only a domain of a single label, such as `com`, counts as one.
package struct CookieJar: Sendable {
    /// The limits of curl: of a cookie, of all cookies, and of the field `Cookie`.
    private static let maxLength = 4_096
    private static let maxCount = 150
    private static let maxFieldLength = 8_190

    private struct Cookie: Sendable {
        let name: String
        var value: String
        /// The host that set it, or the domain whose hosts it is for.
        let domain: String
        var isHostOnly: Bool
        let path: String
        var isSecure: Bool

        /// Whether the cookie has the attributes that the prefix of its name requires (RFC 6265bis §4.1.3).
        func meetsNamePrefix(domain: String?, isFromTLS: Bool) -> Bool {
            let name = name.lowercased()
            if name.hasPrefix("__host-") { return isSecure && isFromTLS && domain == nil && path == "/" }
            return !name.hasPrefix("__secure-") || isSecure && isFromTLS
        }
    }

    /// In the order in which they were set first.
    private var cookies: [Cookie] = []

    package init() {}

    /// Stores the cookies of a response. A cookie that has expired removes the one that it replaces.
    ///
    /// - Parameters:
    ///   - fields: the values of the fields `Set-Cookie`.
    ///   - now: the time in seconds since 1970.
    package mutating func store(_ fields: [String], from question: HTTPQuestion, at now: Int64) {
        for field in fields {
            guard let (cookie, isExpired) = Self.parse(field, from: question, at: now) else { continue }
            let index = cookies.firstIndex {
                $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
            }
            switch (index, isExpired) {
            case (let index?, true): cookies.remove(at: index)
            case (let index?, false): cookies[index] = cookie
            case (nil, false) where cookies.count < Self.maxCount: cookies.append(cookie)
            case (nil, _): break
            }
        }
    }

    /// Returns the request with the cookies for it, after those of its own header fields.
    package func adding(to question: HTTPQuestion) -> HTTPQuestion {
        let (host, path) = (question.cookieHost, question.cookiePath)
        let sent = cookies.filter { cookie in
            (question.isSecure || !cookie.isSecure) && path.isWithin(cookie.path)
                && (cookie.isHostOnly ? host == cookie.domain : host.isWithin(domain: cookie.domain))
        }
        guard !sent.isEmpty else { return question }
        let isCookie = { (header: HTTPOptions.Header) in header.name.lowercased() == "cookie" }
        let own = question.options.headers.filter(isCookie).flatMap { $0.value.split(separator: ";") }
            .map(\.withoutBlanks)
            .filter { pair in !sent.contains { $0.name == pair.prefix { $0 != "=" } } }
        // A longer path comes first; otherwise the sort keeps the order.
        let pairs = sent.enumerated().sorted {
            ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset)
        }.map { "\($0.element.name)=\($0.element.value)" }
        var value = ""
        for pair in own + pairs where value.utf8.count + 2 + pair.utf8.count <= Self.maxFieldLength {
            value += value.isEmpty ? pair : "; \(pair)"
        }
        var next = question
        next.options.headers.removeAll(where: isCookie)
        next.options.headers.append(HTTPOptions.Header(name: "Cookie", value: value))
        return next
    }

    /// Parses a field `Set-Cookie` (RFC 6265 §5.2 and §5.3); nil for a cookie that is ignored.
    private static func parse(
        _ field: String,
        from question: HTTPQuestion,
        at now: Int64
    ) -> (cookie: Cookie, isExpired: Bool)? {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let pair = parts[0].attribute
        guard let value = pair.value, !pair.name.isEmpty,
            pair.name.utf8.count + value.utf8.count <= maxLength, (pair.name + value).isFieldValue
        else { return nil }
        let host = question.cookieHost
        var (domain, path, isSecure): (String?, String?, Bool) = (nil, nil, false)
        var (endsByAge, endsByDate): (Bool?, Bool) = (nil, false)
        // Of several attributes with one name, the last one counts.
        for part in parts.dropFirst() {
            let attribute = part.attribute
            let value = attribute.value ?? ""
            switch attribute.name.lowercased() {
            case "domain": domain = String(value.lowercased().drop { $0 == "." })
            case "path": path = value
            case "secure": isSecure = true
            case "max-age": endsByAge = value.isExpiredAge ?? endsByAge
            case "expires": if let date = HTTPDate(value, now: now) { endsByDate = date.seconds <= now }
            default: break
            }
        }
        var isHostOnly = true
        if let domain, !domain.isEmpty, domain != host {
            guard host.isWithin(domain: domain), domain.contains(".") else { return nil }
            isHostOnly = false
        }
        let cookie = Cookie(
            name: pair.name,
            value: value,
            domain: isHostOnly ? host : domain ?? host,
            // The host's own name includes the hosts below it, unless it is a public suffix.
            isHostOnly: isHostOnly && !(domain == host && host.contains(".")),
            path: path.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? question.cookiePath.defaultCookiePath,
            isSecure: isSecure
        )
        guard cookie.meetsNamePrefix(domain: domain, isFromTLS: question.isSecure) else { return nil }
        return (cookie, endsByAge ?? endsByDate)
    }
}

extension HTTPQuestion {
    /// The host in lower case, without the dot of the root.
    fileprivate var cookieHost: String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// The path without the query.
    fileprivate var cookiePath: String { String(requestTarget.prefix { $0 != "?" }) }
}

extension String {
    /// Whether a path is a cookie's path, or below it (RFC 6265 §5.1.4).
    fileprivate func isWithin(_ path: String) -> Bool {
        guard hasPrefix(path) else { return false }
        return utf8.count == path.utf8.count || path.hasSuffix("/") || dropFirst(path.count).hasPrefix("/")
    }

    /// Whether a host is a domain, or below it (RFC 6265 §5.1.3). Addresses have no domains.
    fileprivate func isWithin(domain: String) -> Bool {
        self == domain || hasSuffix(".\(domain)") && IPAddress(literal: self) == nil
    }

    /// The default path of a cookie, for the path of its request (RFC 6265 §5.1.4): the folder.
    fileprivate var defaultCookiePath: String {
        guard let slash = lastIndex(of: "/"), slash > startIndex else { return "/" }
        return String(self[..<slash])
    }

    /// Whether a cookie with this `Max-Age` has expired already; nil for an invalid value.
    fileprivate var isExpiredAge: Bool? {
        let digits = hasPrefix("-") ? dropFirst() : self[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return hasPrefix("-") || digits.allSatisfy { $0 == "0" }
    }
}

extension Substring {
    /// `NAME=VALUE`, or a name alone, without blanks around them.
    fileprivate var attribute: (name: String, value: String?) {
        let parts = split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.withoutBlanks)
        return (parts[0], parts.count == 2 ? parts[1] : nil)
    }
}
