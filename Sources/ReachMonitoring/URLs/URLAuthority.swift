import ReachBasics

/// The host of a URL, and its port if it has one: `HOST`, `HOST:PORT`, `[V6]`, `[V6]:PORT`, or a bare `V6`.
struct URLAuthority {
    let host: String
    let port: UInt16?

    /// Parses the part between the scheme and the path. Messages quote parts of it, so that it must not have a user, a
    /// password or a query.
    init(_ text: Substring) throws(URLProblem) {
        if let end = text.utf8.first(where: \.endsAuthority) {
            throw URLProblem("invalid character \"\(Unicode.Scalar(end))\" in the host")
        }
        if text.utf8.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: "]") else { throw URLProblem("\"[\" without \"]\"") }
            let host = text[text.utf8.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard host.contains(":") else { throw URLProblem("brackets are for IPv6 addresses only") }
            guard rest.isEmpty || rest.first == ":" else {
                throw URLProblem("\"\(rest)\" after the address", hint: "[\(host)]:PORT")
            }
            self.host = try Self.host(host)
            port = rest.isEmpty ? nil : try Self.number(rest.dropFirst())
            return
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        guard colons == 1, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            guard !text.isEmpty else { throw URLProblem("the host is missing") }
            host = try Self.host(text)
            port = nil
            return
        }
        guard colon != text.startIndex else { throw URLProblem("the host is missing") }
        host = try Self.host(text[..<colon])
        port = try Self.number(text[text.utf8.index(after: colon)...])
    }

    /// Parses the rest of a URL that must be an authority only, apart from a slash at its end.
    init(bare rest: Substring, of method: Method) throws(URLProblem) {
        let text = rest.utf8.last == UInt8(ascii: "/") ? Substring(rest.utf8.dropLast()) : rest
        guard text.utf8.allSatisfy({ !$0.endsAuthority }) else {
            if Self.isNetwork(text) { throw .network("\(method)://\(rest)") }
            let takes = method == .icmp || method == .route ? "a host" : "a host and a port"
            throw URLProblem("\(method):// takes \(takes), nothing else")
        }
        try self.init(text)
    }

    /// Whether a text is a network, with a port or without: `192.0.2.0/24`, `[2001:db8::]/124`, `192.0.2.0/28:22`.
    private static func isNetwork(_ text: Substring) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let bits = parts[1].split(separator: ":").first.flatMap({ UInt8($0) }), bits <= 128,
            let authority = try? URLAuthority(parts[0]), authority.port == nil
        else { return false }
        return authority.host.contains(":") || authority.host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Checks that a host is not an address of many hosts, whose replies would come from other addresses: multicast (RFC
    /// 5771, RFC 4291 §2.7), or `255.255.255.255` (RFC 919 §7).
    static func checkIsOneHost(_ host: String) throws(URLProblem) {
        // An IPv4-mapped address is the IPv4 address.
        let host = host.lowercased().hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
        let isGroup: Bool
        if host.utf8.contains(UInt8(ascii: ":")) {
            let group = host.prefix { $0 != ":" }
            isGroup = group.count == 4 && group.lowercased().hasPrefix("ff")
        } else {
            let first = host.prefix { $0 != "." }
            isGroup = UInt8(first).map { (224...239).contains($0) } ?? false && host.utf8.allSatisfy(\.isDigitOrDot)
        }
        let hint = "use the address of a host"
        if isGroup { throw URLProblem("multicast address \(host)", hint: hint) }
        if host == "255.255.255.255" { throw URLProblem("broadcast address \(host)", hint: hint) }
    }

    /// Parses a name or an address. Names that no resolver can find are rejected. International names are converted.
    private static func host(_ text: Substring) throws(URLProblem) -> String {
        if text.utf8.contains(UInt8(ascii: ":")) { return try address(text) }
        if !text.utf8.allSatisfy(\.isPlain) {
            let invalid = text.unicodeScalars.first { !$0.isPlain && !$0.isInInternationalNames }
            if invalid == "{" {
                throw URLProblem("a range or a list, not a host", hint: "urls = [\"…\(text)…\"] in the settings")
            }
            if let invalid {
                throw URLProblem("invalid character \"\(invalid.escaped(asASCII: true))\" in the host")
            }
            return try host(try text.convertedDomainName[...])
        }
        try DNSQuestion.checkName(text)
        // The root, or the mark for standard input or output.
        guard text.utf8.contains(where: \.isASCIILetterOrDigit) else { throw URLProblem("the host is missing") }
        if text.utf8.allSatisfy(\.isDigitOrDot) {
            let labels = text.utf8.split(separator: UInt8(ascii: ".")).map { Substring($0) }
            if labels.count == 1 {
                throw URLProblem("\(labels[0]) is a number, not a host", hint: hint(forNumber: labels[0]))
            }
            guard isIPv4(labels) else {
                throw URLProblem("invalid IPv4 address \"\(text)\"", hint: "four numbers up to 255, such as 192.0.2.1")
            }
            // inet_aton(3) reads 010 as octal, and 08 not at all.
            guard !labels.contains(where: \.hasLeadingZero) else {
                let plain = labels.map { $0.drop { $0 == "0" } }.map { $0.isEmpty ? "0" : $0 }
                throw URLProblem("ambiguous address: leading zero", hint: "write \(plain.joined(separator: "."))")
            }
        }
        return String(text)
    }

    /// Returns the fix for a number in place of a host. The system would accept it as an address: 8 as 0.0.0.8
    /// (inet_aton(3)).
    private static func hint(forNumber number: Substring) -> String {
        if let port = UInt16(number), port > 0 { return "a port is HOST:\(port), such as 127.0.0.1:\(port)" }
        guard let address = UInt32(number), address > 0 else { return "such as 192.0.2.1" }
        let bytes = [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }
        return "did you mean \(bytes.joined(separator: "."))?"
    }

    /// Parses an IPv6 address with its zone, which a URL may have after `%25` (RFC 6874): `fe80::1%eth0` either way.
    private static func address(_ text: Substring) throws(URLProblem) -> String {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard IPAddressText.bytes(ofIPv6: parts[0]) != nil else { throw URLProblem("invalid IPv6 address \"\(text)\"") }
        guard parts.count == 2 else { return String(text) }
        var zone = parts[1]
        // A zone of digits only is the index of an interface: %25 is the twenty-fifth.
        if zone.hasPrefix("25"), !zone.allSatisfy(\.isNumber) { zone = zone.dropFirst(2) }
        guard !zone.isEmpty else { throw URLProblem("invalid IPv6 address \"\(text)\"") }
        if let invalid = zone.unicodeScalars.first(where: { !$0.isPlain && !$0.isLetterBeyondASCII }) {
            throw URLProblem("invalid character \"\(invalid.escaped(asASCII: true))\" in the host")
        }
        return "\(parts[0])%\(zone)"
    }

    /// Whether the system accepts decimal numbers as an IPv4 address: the last number fills the remaining bytes, as in
    /// `127.1` (inet_aton(3)).
    private static func isIPv4(_ numbers: [Substring]) -> Bool {
        guard (1...4).contains(numbers.count), let last = numbers.last.flatMap({ UInt32($0) }) else { return false }
        return numbers.dropLast().allSatisfy { UInt8($0) != nil }
            && last <= UInt32.max >> (8 * UInt32(numbers.count - 1))
    }

    private static func number(_ port: Substring) throws(URLProblem) -> UInt16 {
        guard let number = UInt16(port), number > 0, port.utf8.allSatisfy(\.isASCIIDigit) else {
            throw URLProblem("invalid port \"\(port)\"", hint: "a number from 1 to 65535")
        }
        return number
    }
}

extension Unicode.Scalar {
    /// Whether the character is an ASCII letter or digit, `-`, `.` or `_`.
    fileprivate var isPlain: Bool { isASCII && UInt8(value).isPlain }

    /// Whether international names may have the character, which is not ASCII. Invisible characters are only the joiners,
    /// which some scripts need.
    fileprivate var isInInternationalNames: Bool {
        guard !isASCII else { return false }
        return switch properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        case .format: self == "\u{200C}" || self == "\u{200D}"
        default: true
        }
    }

    /// Whether the character is a letter, mark or digit outside ASCII.
    fileprivate var isLetterBeyondASCII: Bool {
        guard !isASCII else { return false }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .nonspacingMark, .spacingMark, .decimalNumber: true
        default: false
        }
    }
}

extension UInt8 {
    fileprivate var isDigitOrDot: Bool { isASCIIDigit || self == UInt8(ascii: ".") }

    /// Whether the byte is an ASCII letter or digit, `-`, `.` or `_`.
    fileprivate var isPlain: Bool { isASCIILetterOrDigit || "-._".utf8.contains(self) }

    /// Whether the byte separates the authority from what follows or precedes it.
    fileprivate var endsAuthority: Bool { "/?#@".utf8.contains(self) }
}

extension Substring {
    /// Whether the number has a zero before its other digits.
    fileprivate var hasLeadingZero: Bool { utf8.count > 1 && utf8.first == UInt8(ascii: "0") }
}

/// An invalid URL, or an invalid text of a request: the problem and its fix.
public struct URLProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The problem, as part of a sentence.
    public let message: String
    /// The fix, if one can be guessed.
    public let hint: String?

    /// Creates a problem and its fix.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The problem of a URL with a network in place of the host.
    static func network(_ url: String) -> URLProblem {
        URLProblem("a network, not a host", hint: "urls = [\"\(url)\"] in the settings")
    }

    /// The problem of a URL with a user or a password in place of the host.
    static let credentials = URLProblem(
        "a user or a password without a method",
        hint: "redis://, rediss:// and postgres:// take them"
    )

    /// The problem of a URL of HTTP with a user or a password.
    package static let httpCredentials = URLProblem(
        "no password in a URL",
        hint: "http = { headers = { Authorization = \"…\" } }"
    )

    static func unknown(scheme: String) -> URLProblem {
        let known = Method.settable.map(\.rawValue)
        // Anything else may be a password.
        guard scheme.utf8.allSatisfy({ $0.isPartOfScheme }) else {
            return URLProblem("unknown method", hint: "one of \(known.joined(separator: ", "))")
        }
        guard let near = scheme.nearest(of: known) else {
            return URLProblem("unknown method \"\(scheme)\"", hint: "one of \(known.joined(separator: ", "))")
        }
        return URLProblem("unknown method \"\(scheme)\"", hint: "did you mean \"\(near)\"?")
    }

    /// Targets of the fleet are read, and have no URL.
    static let fleet = URLProblem("a fleet target has no URL", hint: "[[prometheus]] with the url of the server")

    /// The message, and the hint after a dash.
    public var description: String {
        hint.map { "\(message) – \($0)" } ?? message
    }
}

extension UInt8 {
    /// Whether the byte can be in the scheme of a URL in lower case (RFC 3986 §3.1).
    fileprivate var isPartOfScheme: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || isASCIIDigit || "+-.".utf8.contains(self)
    }
}
