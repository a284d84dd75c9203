import DomainNames

/// The hosts without a proxy: the value of `no_proxy`, with commas or blanks between its entries.
///
/// An entry is one of these:
///
/// * a name, with or without a dot in front, which also matches its subdomains
/// * an address
/// * a network, `192.0.2.0/24`
/// * `*` as the only entry, which matches all hosts
package struct ProxyExceptions: Sendable, Hashable {
    private let entries: [String]

    package init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.map { entry in
            let name = entry.drop { $0 == "." }
            let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
            return isASCII ? entry.lowercased() : name.asciiDomainName ?? entry.lowercased()
        }
    }

    /// Whether a host is on the list.
    package func contain(_ host: String) -> Bool {
        if entries == ["*"] { return true }
        let name = Self.trimmed(host.lowercased())
        let address = Self.bytes(of: name)
        return entries.contains { entry in
            if let address { return Self.isIn(entry, address) }
            let entry = Self.trimmed(entry.hasPrefix(".") ? String(entry.dropFirst()) : entry)
            return !entry.isEmpty && (name == entry || name.hasSuffix(".\(entry)"))
        }
    }

    /// A name without the trailing dot, an address without brackets and zone.
    private static func trimmed(_ host: String) -> String {
        var host = host
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.contains(":") { return String(host.prefix { $0 != "%" }) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func isIn(_ entry: String, _ address: [UInt8]) -> Bool {
        let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let text = trimmed(String(parts[0]))
        guard let network = bytes(of: text), network.count == address.count else { return false }
        guard parts.count == 2 else { return network == address }
        // The bits of an IPv4-mapped network count those before the IPv4 address.
        let first = text.contains(":") ? 128 - network.count * 8 : 0
        guard let bits = Int(parts[1]).map({ $0 - first }), (0...address.count * 8).contains(bits) else { return false }
        return zip(network, address).enumerated().allSatisfy { index, pair in
            let kept = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            return pair.0 & mask == pair.1 & mask
        }
    }

    /// The bytes of an address of either family; nil for a name. An IPv4-mapped address is an IPv4 address (RFC 4291
    /// §2.5.5.2).
    private static func bytes(of text: String) -> [UInt8]? {
        guard text.contains(":") else { return bytes(ofIPv4: text[...]) }
        let bytes = bytes(ofIPv6: text)
        let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes.map { $0.starts(with: prefix) ? Array($0.dropFirst(prefix.count)) : $0 }
    }

    /// The bytes of four decimal numbers.
    private static func bytes(ofIPv4 text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// The bytes of eight groups, of which `::` leaves out zeros (RFC 4291 §2.2).
    private static func bytes(ofIPv6 text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        let parts = halves.map { half in
            half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false).map(bytes(ofGroup:))
        }
        let bytes = parts.map { $0.compactMap(\.self).flatMap(\.self) }
        guard parts.joined().allSatisfy({ $0 != nil }), let first = bytes.first else { return nil }
        switch bytes.count {
        case 1: return first.count == 16 ? first : nil
        case 2:
            let zeros = 16 - first.count - bytes[1].count
            return zeros >= 2 ? first + Array(repeating: 0, count: zeros) + bytes[1] : nil
        default: return nil
        }
    }

    /// The two bytes of a group, or the four of an IPv4 address at the end.
    private static func bytes(ofGroup text: Substring) -> [UInt8]? {
        if text.contains(".") { return bytes(ofIPv4: text) }
        guard (1...4).contains(text.utf8.count), text.allSatisfy(\.isHexDigit), let number = UInt16(text, radix: 16)
        else { return nil }
        return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
}
