import ReachMonitoring
import ReachSystem

/// An element of `urls`: a URL with ranges, lists or a network in place of a part of it.
///
/// * `{1..50}` counts, `{01..50}` with leading zeros. `{a,b,c}` is each of the words. Several of them are combined.
/// * `10.1.0.0/28`, alone or as the host of a URL without a path, is each host of that network.
struct URLPattern {
    /// Why a text is not a pattern, and the fix.
    struct Failure: Error, Hashable {
        let message: String
        let hint: String
    }

    /// The largest number of URLs of one table.
    static let limit = 4_096
    private static let example = "such as {1..50}, {01..50} or {a,b,c}; in a URL, a brace is %7B or %7D"

    /// A part of a pattern.
    private enum Part {
        case text(Substring)
        case words([Substring])
        /// Numbers with at least so many digits.
        case numbers(ClosedRange<Int>, digits: Int)

        var count: Int {
            switch self {
            case .text: 1
            case .words(let words): words.count
            case .numbers(let range, _): range.count
            }
        }
    }

    /// The URLs.
    let urls: [String]

    /// Creates the URLs of a pattern.
    ///
    /// - Throws: ``Failure`` for an invalid pattern, or for one with more than ``limit`` URLs. These are never made.
    init(_ text: String) throws(Failure) {
        let parts: [Part]
        do throws(Failure) {
            parts = try Self.parts(of: text)
        } catch {
            // The braces may be part of a password.
            guard text.contains("@") else { throw error }
            throw Failure(message: "neither a range nor a list in the braces", hint: Self.example)
        }
        let count = parts.reduce(1) { count, part in
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: part.count)
            return isTooLarge ? Int.max : product
        }
        guard count <= Self.limit else { throw Self.tooMany(count == .max ? nil : UInt128(count)) }
        var urls: [String] = []
        for text in Self.combined(parts) {
            guard let network = try NetworkPattern(text) else {
                urls.append(text)
                continue
            }
            let total = UInt128(urls.count) + network.hostCount
            guard total <= Self.limit else { throw Self.tooMany(total) }
            urls += network.urls
        }
        guard urls.count <= Self.limit else { throw Self.tooMany(UInt128(urls.count)) }
        self.urls = urls
    }

    /// The failure of a pattern with too many URLs; nil is more than an integer counts.
    static func tooMany(_ count: UInt128?) -> Failure {
        let number = count.flatMap { $0 > 1_000_000_000_000 ? nil : String($0) } ?? "more than a trillion"
        return Failure(
            message: "\(number) targets are too many for one table",
            hint: "at most \(limit); a narrower range, or several tables"
        )
    }

    // MARK: Braces

    private static func parts(of text: String) throws(Failure) -> [Part] {
        var parts: [Part] = []
        var rest = text[...]
        while let brace = rest.firstIndex(where: { "{}".contains($0) }) {
            guard rest[brace] == "{" else { throw Failure(message: "\"}\" without \"{\"", hint: example) }
            parts.append(.text(rest[..<brace]))
            rest = rest[brace...].dropFirst()
            guard let end = rest.firstIndex(of: "}") else {
                throw Failure(message: "\"{\" without \"}\"", hint: example)
            }
            let content = rest[..<end]
            guard !content.contains("{") else { throw Failure(message: "braces inside braces", hint: example) }
            parts.append(try part(of: content))
            rest = rest[end...].dropFirst()
        }
        return parts + [.text(rest)]
    }

    private static func part(of content: Substring) throws(Failure) -> Part {
        if let dots = content.firstRange(of: "..") {
            let (low, high) = (content[..<dots.lowerBound], content[dots.upperBound...])
            guard let first = number(low), let last = number(high) else {
                throw Failure(message: "invalid range \("{\(content)}".quoted)", hint: "such as {1..50} or {01..50}")
            }
            guard first <= last else {
                throw Failure(message: "the range \("{\(content)}".quoted) is backwards", hint: "{\(high)..\(low)}")
            }
            let isPadded = [low, high].contains { $0.count > 1 && $0.hasPrefix("0") }
            return .numbers(first...last, digits: isPadded ? max(low.count, high.count) : 1)
        }
        let words = content.split(separator: ",", omittingEmptySubsequences: false)
        guard words.count > 1, words.allSatisfy({ !$0.isEmpty }) else {
            throw Failure(message: "\("{\(content)}".quoted) is neither a range nor a list", hint: example)
        }
        return .words(words)
    }

    /// The number in a text of at most nine digits.
    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// The texts of all combinations; the last part varies fastest.
    private static func combined(_ parts: [Part]) -> [String] {
        parts.reduce([""]) { texts, part in
            switch part {
            case .text(let more):
                texts.map { $0 + more }
            case .words(let words):
                texts.flatMap { text in words.map { text + $0 } }
            case .numbers(let range, let digits):
                texts.flatMap { text in
                    range.map { number in
                        let plain = String(number)
                        return text + String(repeating: "0", count: max(0, digits - plain.count)) + plain
                    }
                }
            }
        }
    }
}

/// A network in place of a host: `10.1.0.0/28`, `tcp://10.1.0.0/28:22`, `icmp://[2001:db8::]/124`.
///
/// The network address and the broadcast address of an IPv4 network are no hosts, except with 31 or 32 bits (RFC 3021).
/// The first address of an IPv6 network is that of its routers (RFC 4291 §2.6.1), except with 127 or 128 bits (RFC 6164).
struct NetworkPattern {
    /// The number of hosts.
    let hostCount: UInt128
    private let first: UInt128
    private let family: Family
    /// The text before and after the address.
    private let prefix: String
    private let suffix: String

    /// Parses a pattern; nil for a text without a network.
    init?(_ text: String) throws(URLPattern.Failure) {
        var rest = text[...]
        if let separator = text.firstRange(of: "://") {
            // The path of other methods may be a number.
            let method = Method(rawValue: text[..<separator.lowerBound].lowercased())
            guard method == nil || method?.mayHaveNetwork == true else { return nil }
            rest = text[separator.upperBound...]
        }
        let scheme = String(text[..<rest.startIndex])
        guard let slash = rest.lastIndex(of: "/"), slash != rest.startIndex else { return nil }
        let isBracketed = rest.hasPrefix("[") && rest[..<slash].hasSuffix("]")
        let host = isBracketed ? rest[..<slash].dropFirst().dropLast() : rest[..<slash]
        let digits = rest[slash...].dropFirst().prefix { $0.isASCII && $0.isNumber }
        let suffix = String(rest[digits.endIndex...])
        guard Family(ofAddress: String(host)) != nil, !host.contains("%"), let bits = Int(digits),
            suffix.isEmpty || suffix.hasPrefix(":")
        else { return nil }
        // A network of IPv4-mapped addresses is written as one of IPv6.
        let family: Family = host.contains(":") ? .v6 : .v4

        let width = family == .v4 ? 32 : 128
        guard bits <= width else {
            throw URLPattern.Failure(
                message: "/\(bits) is out of range",
                hint: "an \(family.title) network has at most \(width) bits"
            )
        }
        let address = Self.number(of: String(host), family)
        let mask = bits == 0 ? 0 : UInt128.max << UInt128(width - bits) & (UInt128.max >> UInt128(128 - width))
        guard address & ~mask == 0 else {
            let network = Self.text(of: address & mask, family)
            throw URLPattern.Failure(
                message: "\(host)/\(bits) is not the first address of a network",
                hint: "did you mean \(network)/\(bits), or the host \(host)?"
            )
        }
        let size = width - bits
        let hasOnlyHosts = size <= 1
        (self.first, self.family) = (hasOnlyHosts ? address : address + 1, family)
        switch size {
        case 0, 1: hostCount = 1 << UInt128(size)
        case 128: hostCount = .max
        default: hostCount = (1 << UInt128(size)) - (family == .v4 ? 2 : 1)
        }
        // An IPv6 address before a port, or after a method, is in brackets.
        let needsBrackets = family == .v6 && (isBracketed || !scheme.isEmpty || !suffix.isEmpty)
        prefix = needsBrackets ? scheme + "[" : scheme
        self.suffix = needsBrackets ? "]" + suffix : suffix
    }

    /// Whether a text is a URL whose host and path look like a network, `http://10.1.0.0/28`, of a method that has paths.
    static func isPath(_ text: String) -> Bool {
        guard let separator = text.firstRange(of: "://"), Method(ofURL: text)?.mayHaveNetwork == false else {
            return false
        }
        return (try? NetworkPattern(String(text[separator.upperBound...]))).map { $0.hostCount > 1 } ?? false
    }

    /// The URLs of all hosts.
    var urls: [String] {
        (0..<Int(clamping: hostCount)).map { "\(prefix)\(Self.text(of: first + UInt128($0), family))\(suffix)" }
    }

    /// The network of an address with so many bits in common: `10.1.2.0/24`.
    static func network(of address: String, bits: Int) -> String {
        let family: Family = address.contains(":") ? .v6 : .v4
        let hostBits = UInt128((family == .v4 ? 32 : 128) - bits)
        let number = number(of: String(address.prefix { $0 != "%" }), family)
        return "\(text(of: (number >> hostBits) << hostBits, family))/\(bits)"
    }

    /// An address as a number.
    private static func number(of text: String, _ family: Family) -> UInt128 {
        var bytes = [UInt8](repeating: 0, count: 16)
        _ = inet_pton(family == .v4 ? AF_INET : AF_INET6, text, &bytes)
        return bytes[..<(family == .v4 ? 4 : 16)].reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The text of an address.
    private static func text(of number: UInt128, _ family: Family) -> String {
        let count = family == .v4 ? 4 : 16
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt128(8 * (count - 1 - $0))) }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family == .v4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else {
            return ""
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Method {
    /// Whether a URL of this method has a host and no path.
    fileprivate var mayHaveNetwork: Bool {
        [.icmp, .tcp, .session, .tls, .udp, .route].contains(self)
    }
}
