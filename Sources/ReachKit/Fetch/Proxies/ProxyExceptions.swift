#if Fetch
import LibC

/// The hosts without a proxy: the value of `no_proxy`, with commas or blanks between its entries.
///
/// An entry is one of these:
///
/// * a name, with or without a dot in front, which also matches its subdomains
/// * an address
/// * a network, `192.0.2.0/24`
/// * `*` as the only entry, which matches all hosts
struct ProxyExceptions: Sendable, Hashable {
    private let entries: [String]

    init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }

    /// Whether a host is on the list.
    func contain(_ host: String) -> Bool {
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
        guard let network = bytes(of: trimmed(String(parts[0]))), network.count == address.count else { return false }
        guard parts.count == 2 else { return network == address }
        guard let bits = Int(parts[1]), (0...address.count * 8).contains(bits) else { return false }
        return zip(network, address).enumerated().allSatisfy { index, pair in
            let kept = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> kept)
            return pair.0 & mask == pair.1 & mask
        }
    }

    /// The bytes of an address of either family; nil for a name.
    private static func bytes(of text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }
}
#endif
