/// The bytes of addresses in texts, without a call of the system.
enum IPAddressText {
    /// The bytes of an address of either family without a zone; nil for a name. An IPv4-mapped address is an IPv4 address
    /// (RFC 4291 §2.5.5.2).
    static func bytes(of text: String) -> [UInt8]? {
        guard text.contains(":") else { return bytes(ofIPv4: text[...]) }
        let prefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        return bytes(ofIPv6: text[...]).map { $0.starts(with: prefix) ? Array($0.dropFirst(prefix.count)) : $0 }
    }

    /// The bytes of an address of either family, whose zone does not count; nil for a name.
    static func bytes(withoutZone text: String) -> [UInt8]? { bytes(of: String(text.prefix { $0 != "%" })) }

    /// The bytes of four decimal numbers.
    private static func bytes(ofIPv4 text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    /// The bytes of eight groups, of which `::` leaves out zeros, and the last two may be an IPv4 address (RFC 4291 §2.2).
    static func bytes(ofIPv6 text: Substring) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        var bytes: [[UInt8]] = []
        for (index, half) in halves.enumerated() {
            let isEmpty = half.isEmpty && halves.count > 1
            let parts = isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
            var groups: [UInt8] = []
            for (number, part) in parts.enumerated() {
                if index == halves.count - 1, number == parts.count - 1, let four = self.bytes(ofIPv4: part) {
                    groups += four
                } else {
                    guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit),
                        let group = UInt16(part, radix: 16)
                    else { return nil }
                    groups += [UInt8(group >> 8), UInt8(group & 0xFF)]
                }
            }
            bytes.append(groups)
        }
        switch bytes.count {
        case 1: return bytes[0].count == 16 ? bytes[0] : nil
        case 2:
            let zeros = 16 - bytes[0].count - bytes[1].count
            return zeros >= 2 ? bytes[0] + Array(repeating: 0, count: zeros) + bytes[1] : nil
        default: return nil
        }
    }
}

extension String {
    /// The bytes of an IP address, whose zone does not count; nil for other texts.
    package var addressBytes: [UInt8]? { IPAddressText.bytes(withoutZone: self) }

    /// The network of a numeric address, whose hosts are likely to be reached by the same hops and to fail together: 24 bits of
    /// IPv4, 64 of IPv6. Nil for an address of this machine, and for a name.
    var subnet: String? {
        guard let bytes = IPAddressText.bytes(withoutZone: self) else { return nil }
        guard bytes.count == 16 else {
            return bytes[0] == 127 ? nil : "\(bytes[0]).\(bytes[1]).\(bytes[2]).0/24"
        }
        let groups = stride(from: 0, to: 8, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        guard groups.contains(where: { $0 != 0 }) else { return nil }
        return groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }
}
