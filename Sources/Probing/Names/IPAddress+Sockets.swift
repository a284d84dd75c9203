import LibC
import NIOCore

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
