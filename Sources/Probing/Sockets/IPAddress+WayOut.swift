import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension IPAddress {
    /// Whether a packet could leave for this address. Connecting a UDP socket sends nothing, fails where no way leads
    /// there, and chooses the address to leave from: a way by an interface without a carrier is none. That nobody on
    /// the last network knows the host, only a packet can find out.
    var hasWayOut: Bool {
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, SocketType.datagram, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // The port of the discard protocol (RFC 863); Darwin connects to no port 0.
        let code = socketAddress(port: 9).withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard code == 0 else { return ![ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN].contains(errno) }
        return Self.local(of: descriptor)?.isOnRunningInterface ?? true
    }

    private static func local(of descriptor: CInt) -> IPAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0 ? IPAddress($0) : nil
            }
        }
    }

    /// Whether the interface that has this address is up and has a carrier; true where none is known to have it.
    private var isOnRunningInterface: Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        let entries = sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap(\.self)
        let own = entries.first { $0.pointee.ifa_addr.flatMap { IPAddress($0) } == self }
        return own.map { CInt(bitPattern: $0.pointee.ifa_flags) & CInt(IFF_RUNNING) != 0 } ?? true
    }
}
