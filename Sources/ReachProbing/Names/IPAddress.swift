import NIOCore
import ReachSystem

/// A numeric IP address, comparable without the port and padding of a socket address.
struct IPAddress: Sendable, Hashable {
    /// The address family.
    enum Family: Sendable, Hashable {
        case ipv4
        case ipv6
    }

    let family: Family
    /// The bytes in network order; IPv4 uses the first four of `high`.
    let high: UInt64
    let low: UInt64
    /// The interface index of a link-local address; 0 if irrelevant.
    let scope: UInt32

    init(_ address: sockaddr_in) {
        self.init(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
    }

    /// Creates an IPv4 address.
    init(ipv4 bits: UInt32) {
        family = .ipv4
        high = UInt64(bits) << 32
        low = 0
        scope = 0
    }

    /// Creates an IPv6 address, optionally with the index of its interface.
    init(ipv6 high: UInt64, _ low: UInt64, scope: UInt32 = 0) {
        family = .ipv6
        self.high = high
        self.low = low
        self.scope = scope
    }

    /// Creates the address of a socket address. An IPv4-mapped one is the IPv4 address: the kernel sends IPv4 packets.
    init(_ address: sockaddr_in6) {
        let (high, low) = withUnsafeBytes(of: address.sin6_addr) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self = IPAddress(ipv6: high, low, scope: address.sin6_scope_id).unmapped
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

    /// Whether the address is `0.0.0.0` or `::`, which the kernel takes for this machine.
    var isUnspecified: Bool {
        high == 0 && low == 0
    }

    /// Whether the address is link-local without an interface.
    var lacksInterface: Bool {
        family == .ipv6 && isLinkLocal && scope == 0
    }

    /// Whether a reply from `source` can belong to a probe of this address.
    func isAnswered(by source: IPAddress) -> Bool {
        guard !isUnspecified else { return family == source.family }
        let scopesAgree = scope == 0 || source.scope == 0 || scope == source.scope
        return family == source.family && high == source.high && low == source.low && scopesAgree
    }
}

extension IPAddress {
    /// The address in network order: four bytes, or sixteen.
    var bytes: [UInt8] {
        let all = [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
        return family == .ipv4 ? Array(all.prefix(4)) : all
    }

    /// Creates an address from its bytes in network order; nil if they are neither four nor sixteen.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(56 - index % 8 * 8) }
        family = bytes.count == 4 ? .ipv4 : .ipv6
        high = words[0]
        low = words[1]
        scope = 0
    }

    /// The same address on the link with this index, which only a link-local IPv6 address needs.
    func onLink(_ index: UInt32) -> IPAddress {
        guard family == .ipv6, isLinkLocal else { return self }
        return IPAddress(ipv6: high, low, scope: index)
    }

    /// The IPv4 address of an IPv4-mapped one, `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2); otherwise the address itself.
    var unmapped: IPAddress {
        family == .ipv6 && high == 0 && low >> 32 == 0xFFFF ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : self
    }

    /// Whether the address is that of a group of hosts (RFC 5771, RFC 4291 §2.7).
    var isMulticast: Bool {
        switch family {
        case .ipv4: high >> 60 == 0xE
        case .ipv6: high >> 56 == 0xFF
        }
    }

    /// Whether the address is link-local: assigned by no router or server, and valid on its own link only (RFC 3927,
    /// RFC 4291 §2.5.6).
    var isLinkLocal: Bool {
        switch family {
        case .ipv4: high >> 48 == 0xA9FE
        case .ipv6: high >> 54 == 0xFE80 >> 6
        }
    }
}

extension IPAddress {
    /// Reads the address from the bytes of a `sockaddr_in` or `sockaddr_in6`; nil for too few bytes or another family.
    init?(sockaddr bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch CInt(bytes.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            self.init(bytes.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in6.self))
        default:
            return nil
        }
    }

    /// The socket address of SwiftNIO with this port.
    func socketAddress(port: UInt16) -> SocketAddress {
        switch family {
        case .ipv4: SocketAddress(ipv4(port: port))
        case .ipv6: SocketAddress(ipv6(port: port))
        }
    }

    /// Calls `body` with a pointer to the socket address with this port.
    func withSocketAddress<Result>(
        port: UInt16 = 0,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch family {
        case .ipv4: Self.withSockAddr(ipv4(port: port), to: body)
        case .ipv6: Self.withSockAddr(ipv6(port: port), to: body)
        }
    }

    private static func withSockAddr<Address, Result>(
        _ address: Address,
        to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private func ipv4(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(high >> 32).bigEndian
        return address
    }

    private func ipv6(port: UInt16) -> sockaddr_in6 {
        var address = sockaddr_in6()
        #if canImport(Darwin)
        address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
        #endif
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = scope
        withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}

extension IPAddress: CustomStringConvertible {
    /// The numeric address, with the interface of a link-local one.
    var description: String {
        if family == .ipv4 {
            let bytes = (4...7).map { UInt8(truncatingIfNeeded: high >> UInt64($0 * 8)) }
            return "\(bytes[3]).\(bytes[2]).\(bytes[1]).\(bytes[0])"
        }
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withSocketAddress { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
        guard code == 0 else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
