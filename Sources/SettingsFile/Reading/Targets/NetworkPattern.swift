import LibC
import Monitoring

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
