import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension IPAddress {
    /// Whether a packet could leave for this address. Connecting a UDP socket sends nothing, and fails where no way
    /// leads there; that nobody on the last network knows the host, only a packet can find out.
    var hasWayOut: Bool {
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, SocketType.datagram, 0)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        // The port of the discard protocol (RFC 863); Darwin connects to no port 0.
        let code = socketAddress(port: 9).withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard code != 0 else { return true }
        return ![ENETUNREACH, ENETDOWN, EHOSTUNREACH, EHOSTDOWN].contains(errno)
    }
}
