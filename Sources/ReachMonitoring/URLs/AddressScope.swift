/// Where an address is from, by the ranges of the standards.
enum AddressScope: Sendable, Hashable {
    /// An address of the machine itself (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    case thisMachine
    /// An address of the own network: private (RFC 1918, RFC 4193) or of one link (RFC 3927, RFC 4291 §2.5.6).
    case network
    /// An address that a provider shares among customers (RFC 6598).
    case sharedByProvider
    /// Any other address.
    case internet

    /// Creates the scope of a numeric address; nil for a name.
    init?(_ address: String) {
        guard let bytes = IPAddressText.bytes(withoutZone: address) else { return nil }
        if bytes.count == 4 {
            switch (bytes[0], bytes[1]) {
            case (127, _), (0, _): self = .thisMachine
            case (10, _), (172, 16...31), (192, 168), (169, 254): self = .network
            case (100, 64...127): self = .sharedByProvider
            default: self = .internet
            }
        } else if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] <= 1 {
            self = .thisMachine
        } else if bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 {
            self = .network
        } else {
            self = .internet
        }
    }
}

/// An address of this machine, and the network that it is directly connected to by it.
package struct LocalAddress: Sendable, Hashable {
    private let bytes: [UInt8]
    private let prefixLength: Int

    /// Creates an address; nil unless it is numeric.
    ///
    /// - Parameter prefixLength: the number of bits that all addresses of the network share.
    package init?(_ address: String, prefixLength: Int) {
        guard let bytes = IPAddressText.bytes(withoutZone: address) else { return nil }
        (self.bytes, self.prefixLength) = (bytes, max(0, min(prefixLength, bytes.count * 8)))
    }

    /// Whether this is the address itself.
    func isSame(as address: [UInt8]) -> Bool { bytes == address }

    /// Whether a packet to an address needs no router.
    func isConnected(to address: [UInt8]) -> Bool {
        guard prefixLength > 0, address.count == bytes.count else { return false }
        let (whole, rest) = prefixLength.quotientAndRemainder(dividingBy: 8)
        guard bytes.prefix(whole) == address.prefix(whole) else { return false }
        return rest == 0 || (bytes[whole] ^ address[whole]) >> (8 - rest) == 0
    }
}

/// A number for the network of an address: targets of one network often fail together.
struct NetworkKey: Sendable, Hashable {
    private let value: UInt64

    /// Creates the key of an address: its autonomous system if that is known, or else its first 16 bits (IPv4) or 32
    /// bits (IPv6). A name that is not resolved has the key of its last two labels.
    init(_ host: String, systems: AutonomousSystems?) {
        if let system = systems?.system(of: host) {
            value = 1 << 40 | UInt64(system.number)
        } else if let bytes = IPAddressText.bytes(withoutZone: host) {
            let prefix = bytes.prefix(bytes.count == 4 ? 2 : 4)
            value = UInt64(bytes.count) << 48 | prefix.reduce(0) { $0 << 8 | UInt64($1) }
        } else {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            let domain = host.lowercased().split(separator: ".").suffix(2).joined(separator: ".")
            for byte in domain.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            value = hash | 1 << 63
        }
    }
}

extension String {
    /// Whether this is a name of the own network: of one label, or with a suffix for such names (RFC 6762, RFC 8375).
    var isLocalName: Bool {
        let name = (hasSuffix(".") ? dropLast() : self[...]).lowercased()
        guard let dot = name.lastIndex(of: ".") else { return true }
        let suffix = name[name.index(after: dot)...]
        return ["local", "lan", "home", "internal", "intranet", "localdomain", "box", "corp"].contains(suffix)
            || name.hasSuffix(".home.arpa")
    }
}
