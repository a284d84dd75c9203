import LibC
import Monitoring

extension EchoSocket {
    /// Opens the descriptor: a datagram socket, which needs no privilege if the system is set up so, or else a raw
    /// socket.
    ///
    /// Both report errors from routers: a raw socket receives the messages, a datagram socket of Linux has them in its
    /// error queue.
    static func descriptor(for kind: Kind) throws(Fault) -> CInt {
        let domain = kind.family == .ipv4 ? AF_INET : AF_INET6
        let icmp = kind.family == .ipv4 ? CInt(IPPROTO_ICMP) : CInt(IPPROTO_ICMPV6)
        var descriptor = socket(domain, SocketType.datagram, icmp)
        if descriptor < 0, isPrivilegeError(errno) {
            descriptor = socket(domain, SocketType.raw, icmp)
            if descriptor >= 0 { filterPackets(descriptor, kind.family) }
        }
        guard descriptor >= 0 else {
            let code = errno
            throw isPrivilegeError(code) ? .noICMP : Fault(errno: code)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if os(Linux)
        if hasErrorQueue(descriptor) { DatagramQueue.enableErrors(of: descriptor, kind.family) }
        #endif
        configure(descriptor, kind)
        let code = kind.origin?.apply(to: descriptor, kind.family) ?? 0
        guard code == 0 else {
            closeDescriptor(descriptor)
            throw Fault(errno: code)
        }
        return descriptor
    }

    /// Whether the kernel stores errors from routers in the socket's error queue.
    static func hasErrorQueue(_ descriptor: CInt) -> Bool {
        #if os(Linux)
        SocketType.of(descriptor) == SocketType.datagram
        #else
        false
        #endif
    }

    /// Whether the error means that a raw socket may work instead.
    private static func isPrivilegeError(_ code: CInt) -> Bool {
        // A kernel without ping sockets does not know the protocol.
        [EACCES, EPERM, EPROTONOSUPPORT].contains(code)
    }

    private static func configure(_ descriptor: CInt, _ kind: Kind) {
        let (ttl, trafficClass) = (CInt(kind.ttl), CInt(kind.dscp << 2))
        switch kind.family {
        case .ipv4:
            set(descriptor, CInt(IPPROTO_IP), IP_TTL, ttl)
            if kind.dscp != 0 { set(descriptor, CInt(IPPROTO_IP), IP_TOS, trafficClass) }
            #if os(Linux)
            // Such a packet is never fragmented, and needs no identification, which is expensive to make (RFC 6864
            // §4.1).
            if kind.isSmall { set(descriptor, CInt(IPPROTO_IP), IP_MTU_DISCOVER, CInt(IP_PMTUDISC_DO)) }
            #endif
        case .ipv6:
            set(descriptor, CInt(IPPROTO_IPV6), IPV6_UNICAST_HOPS, ttl)
            if kind.dscp != 0 { set(descriptor, CInt(IPPROTO_IPV6), IPV6_TCLASS, trafficClass) }
        }
        // Ten thousand replies may arrive between two reads; the kernel grants as much of this as it allows.
        set(descriptor, SOL_SOCKET, SO_RCVBUF, 4 << 20)
        #if os(Linux)
        // On a kernel without this option, the program's own clock is used.
        set(descriptor, SOL_SOCKET, KernelTimestamp.option, 1)
        if kind.reportsHopLimit { HopLimitMessage.enable { set(descriptor, $0, $1, 1) } }
        #endif
    }

    /// Filters the packets of a raw socket in the kernel: only replies, and errors from routers about lost packets,
    /// pass.
    private static func filterPackets(_ descriptor: CInt, _ family: IPAddress.Family) {
        #if canImport(Darwin)
        guard family == .ipv6 else { return }
        // ICMP6_FILTER; a set bit lets the type pass.
        var passes = [UInt32](repeating: 0, count: 8)
        passes[0] = 1 << 1 | 1 << 3
        passes[129 / 32] = 1 << (129 % 32)
        setsockopt(descriptor, CInt(IPPROTO_ICMPV6), 18, &passes, socklen_t(32))
        #else
        switch family {
        case .ipv4:
            // SOL_RAW and ICMP_FILTER of <linux/icmp.h>; a set bit blocks the type.
            var blocks = ~UInt32(1 << 0 | 1 << 3 | 1 << 11)
            setsockopt(descriptor, 255, 1, &blocks, socklen_t(4))
        case .ipv6:
            // ICMP6_FILTER of <linux/icmpv6.h>; a set bit blocks the type.
            var blocks = [UInt32](repeating: .max, count: 8)
            blocks[0] = ~(1 << 1 | 1 << 3)
            blocks[129 / 32] = ~(1 << (129 % 32))
            setsockopt(descriptor, CInt(IPPROTO_ICMPV6), 1, &blocks, socklen_t(32))
        }
        #endif
    }

    private static func set(_ descriptor: CInt, _ level: CInt, _ name: CInt, _ value: CInt) {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}
