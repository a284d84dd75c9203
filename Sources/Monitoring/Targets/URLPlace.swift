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
            self.host = try Self.host(host)
            port = rest.isEmpty ? nil : try Self.number(rest.dropFirst())
            return
        }
        let colons = text.count { $0 == ":" }
        guard colons == 1, let colon = text.firstIndex(of: ":") else {
            guard !text.isEmpty else { throw URLProblem("the host is missing") }
            host = try Self.host(text)
            port = nil
            return
        }
        guard colon != text.startIndex else { throw URLProblem("the host is missing") }
        host = try Self.host(text[..<colon])
        port = try Self.number(text[text.index(after: colon)...])
    }

    /// Reads a URL's rest that must be a place and nothing else, but for a slash at its end.
    init(bare rest: Substring, of method: Method) throws(URLProblem) {
        let text = rest.last == "/" ? rest.dropLast() : rest
        guard !text.utf8.contains(where: { "/?#@".utf8.contains($0) }) else {
            let takes = method == .icmp || method == .route ? "a host" : "a host and a port"
            throw URLProblem("\(method):// takes \(takes), and nothing after it")
        }
        try self.init(text)
    }

    /// Reads a name, or an address with its interface. What neither can have in it is a slip of the pen, or worse where
    /// a server leads there.
    private static func host(_ text: Substring) throws(URLProblem) -> String {
        if text.utf8.allSatisfy(\.isPlain) { return String(text) }
        let scalars = text.unicodeScalars
        let isAddress = scalars.contains(":")
        let end = isAddress ? scalars.firstIndex(of: "%") ?? scalars.endIndex : scalars.endIndex
        guard !isAddress || scalars[..<end].allSatisfy({ $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." })
        else {
            throw URLProblem("\"\(text)\" is no IPv6 address")
        }
        let name = isAddress ? scalars[end...].dropFirst() : scalars
        if let odd = name.first(where: { !$0.mayBeInName }) {
            throw URLProblem("no host has a \"\(odd.escaped(asASCII: true))\" in it")
        }
        // An accent at the beginning would be one with the slash before it.
        guard "/\(text)/".count == text.count + 2 else {
            throw URLProblem("no host begins or ends in half a character")
        }
        return String(text)
    }

    private static func number(_ port: Substring) throws(URLProblem) -> UInt16 {
        guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else {
            throw URLProblem("\"\(port)\" is no port", hint: "a number from 1 to 65535")
        }
        return number
    }
}

extension UInt8 {
    /// Whether it is an ASCII letter or digit, `-`, `.` or `_`, as nearly all of a name or address is.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether a name may have it: of ASCII letters, digits, `-`, `.` and `_`, of the rest what words are made of.
    fileprivate var mayBeInName: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .decimalNumber: true
        case .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark: true
        default: self == "-" || self == "." || self == "_"
        }
    }
}
