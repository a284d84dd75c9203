/// The host of a URL, and its port if it has one: `HOST`, `HOST:PORT`, `[V6]`, `[V6]:PORT`, or a bare `V6`.
struct URLPlace {
    let host: String
    let port: UInt16?

    /// Reads what stands between the scheme and the path.
    init(_ text: Substring) throws(URLProblem) {
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { throw URLProblem("a \"[\" without its \"]\"") }
            let host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard host.contains(":") else { throw URLProblem("brackets are for IPv6 addresses") }
            guard rest.isEmpty || rest.first == ":" else {
                throw URLProblem("\"\(rest)\" after the address", hint: "[\(host)]:PORT")
            }
            self.host = String(host)
            port = rest.isEmpty ? nil : try Self.number(rest.dropFirst())
            return
        }
        let colons = text.count { $0 == ":" }
        guard colons == 1, let colon = text.firstIndex(of: ":") else {
            guard !text.isEmpty else { throw URLProblem("the host is missing") }
            host = String(text)
            port = nil
            return
        }
        guard colon != text.startIndex else { throw URLProblem("the host is missing") }
        host = String(text[..<colon])
        port = try Self.number(text[text.index(after: colon)...])
    }

    /// Reads a URL's rest that must be a place and nothing else, but for a slash at its end.
    init(bare rest: Substring, of method: Method) throws(URLProblem) {
        let text = rest.last == "/" ? rest.dropLast() : rest
        guard !text.contains(where: { "/?#@".contains($0) }) else {
            let takes = method == .icmp || method == .route ? "a host" : "a host and a port"
            throw URLProblem("\(method):// takes \(takes), and nothing after it")
        }
        try self.init(text)
    }

    private static func number(_ port: Substring) throws(URLProblem) -> UInt16 {
        guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else {
            throw URLProblem("\"\(port)\" is no port", hint: "a number from 1 to 65535")
        }
        return number
    }
}
