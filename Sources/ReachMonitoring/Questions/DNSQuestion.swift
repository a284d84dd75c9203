import ReachBasics

/// A DNS query and its expected answer.
public struct DNSQuestion: Sendable, Hashable {
    /// The DNS server of a query.
    public enum Server: Sendable, Hashable {
        /// The system's resolvers, in their order.
        case system
        /// This host.
        case host(String, port: UInt16)
    }

    /// A type of record (RFC 1035 §3.2.2, RFC 3596, RFC 2782). The raw value is its number.
    public enum RecordType: UInt16, Sendable, Hashable, CaseIterable {
        /// An IPv4 address.
        case a = 1
        /// A name server of the zone.
        case ns = 2
        /// The canonical name of an alias.
        case cname = 5
        /// The start of authority of a zone: its serial number and its timers.
        case soa = 6
        /// The name of an address.
        case ptr = 12
        /// The mail servers of a domain.
        case mx = 15
        /// Text.
        case txt = 16
        /// An IPv6 address.
        case aaaa = 28
        /// The host and the port of a service.
        case srv = 33

        /// The name in the syntax of zone files: `AAAA`.
        public var name: String { "\(self)".uppercased() }
    }

    /// The response code of a server (RFC 1035 §4.1.1). The raw value is its number.
    public enum ResponseCode: UInt8, Sendable, Hashable, CaseIterable {
        /// No error.
        case noerror = 0
        /// The server could not parse the query.
        case formerr = 1
        /// The server has an internal problem.
        case servfail = 2
        /// The name does not exist.
        case nxdomain = 3
        /// The server does not support this kind of query.
        case notimp = 4
        /// The server refuses to answer.
        case refused = 5

        /// The name as shown by DNS tools: `NXDOMAIN`.
        public var name: String { "\(self)".uppercased() }
    }

    /// How queries are sent. The raw values are those of the settings.
    public enum Transport: String, Sendable, Hashable, CaseIterable {
        /// By UDP, and again by TCP if the answer is truncated (RFC 7766 §5).
        case udp
        /// By TCP, each on a connection of its own.
        case tcp
    }

    /// The server.
    public var server: Server
    /// How the query is sent.
    public var transport: Transport
    /// The name to query.
    public var name: String
    /// The record type to query.
    public var type: RecordType
    /// The record that the answer must contain, in the syntax of zone files; nil for any.
    public var answer: String?
    /// The response code that is expected.
    public var responseCode: ResponseCode

    /// Creates a query.
    public init(
        server: Server,
        name: String,
        type: RecordType = .a,
        answer: String? = nil,
        responseCode: ResponseCode = .noerror,
        transport: Transport = .udp
    ) {
        self.server = server
        self.transport = transport
        self.name = name
        self.type = type
        self.answer = answer
        self.responseCode = responseCode
    }
}

extension DNSQuestion {
    /// The most bytes of a label (RFC 1035 §2.3.4).
    public static let maxLabelLength = 63
    /// The most bytes of a name in a message: each label after its length byte, and the root's length byte at the end.
    public static let maxNameLength = 255

    /// Checks that a text is a valid domain name in the syntax of zone files: `\\.` is a dot in a label and `\\032` a
    /// blank (RFC 1035 §5.1).
    static func checkName(_ text: some StringProtocol) throws(URLProblem) {
        guard text != "." else { return }
        var lengths = [0]
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: ".") {
                lengths.append(0)
                continue
            }
            if byte == UInt8(ascii: "\\") { try skipEscape(&rest) }
            lengths[lengths.count - 1] += 1
        }
        // A dot at the end denotes the root.
        if lengths.count > 1, lengths.last == 0 { lengths.removeLast() }
        guard !lengths.contains(0) else {
            throw URLProblem("empty label in \"\(text)\"", hint: "such as example.com")
        }
        if let longest = lengths.max(), longest > maxLabelLength {
            throw URLProblem(
                "a label of \(longest) bytes",
                hint: "at most \(maxLabelLength) between two dots"
            )
        }
        let length = lengths.reduce(1) { $0 + 1 + $1 }
        guard length <= maxNameLength else {
            throw URLProblem("the name has \(length - 2) bytes", hint: "at most \(maxNameLength - 2)")
        }
    }

    /// Skips the character of an escape: three digits for a byte, or the next byte itself.
    private static func skipEscape(_ rest: inout ArraySlice<UInt8>) throws(URLProblem) {
        let digits = String(decoding: rest.prefix(3), as: UTF8.self)
        guard digits.utf8.count == 3, digits.utf8.allSatisfy(\.isASCIIDigit) else {
            guard rest.popFirst() != nil else { throw URLProblem("a \"\\\" at the end of the name stands for nothing") }
            return
        }
        guard UInt8(digits) != nil else { throw URLProblem("invalid byte \"\\\(digits)\"", hint: "\\000 to \\255") }
        rest = rest.dropFirst(3)
    }
}

extension StringProtocol {
    /// The domain name in ASCII, for a name with other characters; an invalid one is an error.
    package var convertedDomainName: String {
        get throws(URLProblem) {
            guard !utf8.allSatisfy({ $0 < 0x80 }) else { return String(self) }
            if let name = asciiDomainName { return name }
            throw URLProblem(
                "not a valid international domain name",
                hint: "see IDNA 2008 for its letters, directions and joiners, or write its xn-- form"
            )
        }
    }

    /// The text, such as the title of a target, with the international names of a URL as they are typed there, in place of
    /// their form in ASCII.
    package func withNames(typedIn url: String) -> String {
        guard !url.utf8.allSatisfy({ $0 < 0x80 }) else { return String(self) }
        return url.split { "/?#@:[]".contains($0) }.reduce(String(self)) { text, part in
            guard !part.utf8.allSatisfy({ $0 < 0x80 }), let name = part.asciiDomainName else { return text }
            return text.replacing(name, with: part, maxReplacements: 1)
        }
    }
}

extension Question {
    /// The default name of the target of a URL, as it is typed; nil for an invalid URL, and for a command.
    package static func title(of url: String) -> String? {
        (try? Question(url))?.title?.withNames(typedIn: url)
    }
}
