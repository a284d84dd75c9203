import LibC
import NIOCore

/// A numeric address of either family, comparable without the port and padding that a socket address carries.
struct IPAddress: Sendable, Hashable {
    /// The version of the internet protocol.
    enum Family: Sendable, Hashable {
        case ipv4
        case ipv6
    }

    let family: Family
    /// The bytes in network order; IPv4 uses the first four of `high`.
    let high: UInt64
    let low: UInt64
    /// The index of the interface that a link-local address is reached by; 0 where it does not matter.
    let scope: UInt32

    init(_ address: sockaddr_in) {
        self.init(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
    }

    /// The address of these 32 bits.
    init(ipv4 bits: UInt32) {
        family = .ipv4
        high = UInt64(bits) << 32
        low = 0
        scope = 0
    }

    /// The address of these 128 bits, without an interface unless its index is given.
    init(ipv6 high: UInt64, _ low: UInt64, scope: UInt32 = 0) {
        family = .ipv6
        self.high = high
        self.low = low
        self.scope = scope
    }

    init(_ address: sockaddr_in6) {
        family = .ipv6
        (high, low) = withUnsafeBytes(of: address.sin6_addr) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        scope = address.sin6_scope_id
    }

    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let ipv4): self.init(ipv4.address)
        case .v6(let ipv6): self.init(ipv6.address)
        case .unixDomainSocket: return nil
        }
    }

    init?(_ address: UnsafePointer<sockaddr>) {
        switch CInt(address.pointee.sa_family) {
        case AF_INET: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self))
        case AF_INET6: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }

    /// Reads an address that is written in numbers, `fe80::1%eth0` too; nil for a name. Never asks anybody.
    init?(literal text: String) {
        guard let address = Resolution.addresses(of: text, flags: AI_NUMERICHOST).first else { return nil }
        self = address
    }

    /// Whether nothing is said but the family: `0.0.0.0` and `::`, which the kernel takes for this machine.
    var isUnspecified: Bool {
        high == 0 && low == 0
    }

    /// Whether it is a link-local address that does not say on which link.
    var lacksInterface: Bool {
        family == .ipv6 && isLinkLocal && scope == 0
    }

    /// Whether an answer from `source` may answer a question to this address.
    func isAnswered(by source: IPAddress) -> Bool {
        guard !isUnspecified else { return family == source.family }
        let scopesAgree = scope == 0 || source.scope == 0 || scope == source.scope
        return family == source.family && high == source.high && low == source.low && scopesAgree
    }
}
