extension Question {
    /// Reads a URL, or the short forms of the command line: `HOST` is `icmp://HOST`, `HOST:PORT` and `[V6]:PORT` are
    /// `tcp://`. A bare IPv6 address is a host.
    ///
    /// - Parameter text: what the user wrote.
    /// - Throws: ``URLProblem``, one clear line with what to write instead.
    public init(_ text: String) throws(URLProblem) {
        guard !text.isEmpty else { throw URLProblem("the URL is empty", hint: "such as icmp://192.0.2.1") }
        guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else {
            throw URLProblem("the URL has a blank or a control character in it")
        }
        if let separator = text.firstRange(of: "://") {
            try self.init(
                scheme: text[..<separator.lowerBound].lowercased(),
                rest: text[separator.upperBound...]
            )
        } else {
            let (host, port) = try Self.split(text[...])
            self = if let port { .tcp(host: host, port: try Self.number(port)) } else { .icmp(host: host) }
        }
    }

    private init(scheme: String, rest: Substring) throws(URLProblem) {
        guard let method = Method(rawValue: scheme) else { throw URLProblem.unknown(scheme: scheme) }
        var rest = rest
        if rest.last == "/" { rest.removeLast() }
        guard !rest.contains(where: { "/?#@".contains($0) }) else {
            throw URLProblem("\(scheme):// takes a host\(method == .tcp ? " and a port" : ""), and nothing after it")
        }
        let (host, port) = try Self.split(rest)
        switch method {
        case .icmp:
            guard port == nil else {
                throw URLProblem("icmp has no port", hint: "icmp://\(host), or tcp://\(rest)")
            }
            self = .icmp(host: host)
        case .tcp:
            guard let port else { throw URLProblem("tcp needs a port", hint: "tcp://\(rest):443") }
            self = .tcp(host: host, port: try Self.number(port))
        }
    }

    /// Splits `HOST`, `HOST:PORT`, `[V6]`, `[V6]:PORT` and bare `V6`.
    private static func split(_ authority: Substring) throws(URLProblem) -> (host: String, port: Substring?) {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { throw URLProblem("a \"[\" without its \"]\"") }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard host.contains(":") else { throw URLProblem("brackets are for IPv6 addresses") }
            guard rest.isEmpty || rest.first == ":" else {
                throw URLProblem("\"\(rest)\" after the address", hint: "[\(host)]:PORT")
            }
            return (String(host), rest.isEmpty ? nil : rest.dropFirst())
        }
        let colons = authority.count { $0 == ":" }
        if colons >= 2 { return (String(authority), nil) }
        guard let colon = authority.firstIndex(of: ":") else {
            guard !authority.isEmpty else { throw URLProblem("the host is missing") }
            return (String(authority), nil)
        }
        guard colon != authority.startIndex else { throw URLProblem("the host is missing") }
        return (String(authority[..<colon]), authority[authority.index(after: colon)...])
    }

    private static func number(_ port: Substring) throws(URLProblem) -> UInt16 {
        guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else {
            throw URLProblem("\"\(port)\" is no port", hint: "a number from 1 to 65535")
        }
        return number
    }
}
