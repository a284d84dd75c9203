import NIOCore
import ReachMonitoring
import ReachSystem

#if os(Linux)
import CReachCapabilities
#endif

/// A socket that sends echo requests of one kind and receives their replies. Confined to its event loop.
///
/// SwiftNIO does not write: its datagram channel closes itself, and fails all queued packets, when one packet meets an
/// unreachable network or a local filter. A direct `sendto` costs no more at these rates, shows exactly which probe
/// failed, and sends exactly when the probe is stamped.
final class EchoSocket {
    /// The properties that the packets of a socket share.
    struct Kind: Sendable, Hashable {
        let family: IPAddress.Family
        let ttl: Int
        let dscp: Int
        /// Whether no router may fragment them.
        var isUnfragmented = true
        var origin: Origin?
        /// Whether the kernel reports the hop limits of replies. Only that of Linux does.
        var reportsHopLimit = false
    }

    let kind: Kind
    private let descriptor: CInt
    private let reader: EchoReader

    private init(_ kind: Kind, descriptor: CInt, reader: EchoReader) {
        self.kind = kind
        self.descriptor = descriptor
        self.reader = reader
    }

    /// Opens a socket that calls the listener.
    ///
    /// - Parameter identifier: the identifier of the requests, by which a raw socket recognizes their replies.
    static func open(
        _ kind: Kind,
        identifier: UInt16,
        on loop: any EventLoop,
        for listener: EchoListener
    ) throws(Fault) -> EchoSocket {
        let descriptor = try descriptor(for: kind)
        #if os(Linux)
        let isRaw = SocketType.of(descriptor) == SocketType.raw
        let filter = isRaw ? RawEchoFilter(identifier: identifier, family: kind.family) : nil
        let reader = DatagramQueue(
            of: descriptor,
            // The checksum covers the whole packet.
            capacity: isRaw ? EchoPacket.longest : EchoPacket.sizeRead,
            on: loop,
            for: DatagramListener(listener, filter: filter)
        )
        #else
        let reader = try EchoChannel(of: descriptor, on: loop, for: listener)
        #endif
        return EchoSocket(kind, descriptor: descriptor, reader: reader)
    }

    /// Whether the socket can still send and receive.
    var isOpen: Bool {
        reader.isOpen
    }

    /// Sends a packet. Returns the error number; zero if it was sent.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        // The descriptor of a closed socket may belong to another socket now.
        guard reader.isOpen else { return EBADF }
        return packet.withUnsafeReadableBytes { bytes in
            address.withSocketAddress { sendDatagram(bytes, by: descriptor, to: $0, $1) }
        }
    }

    /// Reads the pending packets.
    ///
    /// - Parameter isPolled: whether the caller polls so often that arriving packets need not wake the loop.
    func read(isPolled: Bool) {
        reader.read(isPolled: isPolled)
    }

    func close() {
        reader.close()
    }
}

extension EchoSocket {
    /// Opens the descriptor: a datagram socket, which needs no privilege if the system is set up so, or else a raw
    /// socket.
    ///
    /// Both report errors from routers: a raw socket receives the messages, a datagram socket of Linux has them in its
    /// error queue.
    static func descriptor(for kind: Kind) throws(Fault) -> CInt {
        let icmp = kind.family == .ipv4 ? CInt(IPPROTO_ICMP) : CInt(IPPROTO_ICMPV6)
        var descriptor = openSocket(kind.family, SocketType.datagram, protocol: icmp)
        if descriptor < 0, isPrivilegeError(errno) {
            descriptor = openSocket(kind.family, SocketType.raw, protocol: icmp)
            if descriptor >= 0 { filterPackets(descriptor, kind.family) }
        }
        guard descriptor >= 0 else {
            let code = errno
            throw isPrivilegeError(code) ? .noICMP : Fault(errno: code)
        }
        #if os(Linux)
        if SocketType.of(descriptor) == SocketType.datagram {
            DatagramQueue.enableErrors(of: descriptor, kind.family)
        }
        #endif
        configure(descriptor, kind)
        let code = kind.origin?.apply(to: descriptor, kind.family) ?? 0
        guard code == 0 else {
            closeDescriptor(descriptor)
            throw Fault(errno: code)
        }
        return descriptor
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
            setOption(IP_TTL, CInt(IPPROTO_IP), of: descriptor, to: ttl)
            if kind.dscp != 0 { setOption(IP_TOS, CInt(IPPROTO_IP), of: descriptor, to: trafficClass) }
            #if os(Linux)
            // Such a packet is never fragmented, and needs no identification, which is expensive to make (RFC 6864
            // §4.1).
            if kind.isUnfragmented {
                setOption(IP_MTU_DISCOVER, CInt(IPPROTO_IP), of: descriptor, to: CInt(IP_PMTUDISC_DO))
            }
            #endif
        case .ipv6:
            setOption(IPV6_UNICAST_HOPS, CInt(IPPROTO_IPV6), of: descriptor, to: ttl)
            if kind.dscp != 0 { setOption(IPV6_TCLASS, CInt(IPPROTO_IPV6), of: descriptor, to: trafficClass) }
        }
        // Ten thousand replies may arrive between two reads; the kernel grants as much of this as it allows.
        setOption(SO_RCVBUF, SOL_SOCKET, of: descriptor, to: 4 << 20)
        #if os(Linux)
        // On a kernel without this option, the program's own clock is used.
        setOption(KernelTimestamp.option, SOL_SOCKET, of: descriptor, to: 1)
        if kind.reportsHopLimit { HopLimitMessage.enable(of: descriptor) }
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
}

#if os(Linux)
/// The owner of an ICMP socket, which reads from it.
private typealias EchoReader = DatagramQueue
#else
/// The owner of an ICMP socket, which reads from it.
private typealias EchoReader = EchoChannel
#endif

/// The callbacks of an ICMP socket.
struct EchoListener {
    /// Called with each packet, its sender, and the wall-clock time of its arrival, as the time since 1970, if the
    /// kernel has stamped it.
    let receive: (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void
    /// Called with an error about a request of this socket, and the sender of the error, if known.
    let receiveError: (EchoError, IPAddress?) -> Void
    /// Called after each batch of packets.
    let batchEnded: () -> Void
    /// Called when the socket is closed.
    let ended: () -> Void
    /// Called before ``receive`` with the hop limit of the packet, or its time to live, if the kernel reports it.
    var receiveHopLimit: ((Int) -> Void)?
}

/// A filter for the packets of a raw socket: the socket receives the ICMP packets of the whole machine, and those of
/// IPv4 before the kernel has verified their checksums (raw(7)).
struct RawEchoFilter: Sendable, Hashable {
    /// The identifier of this process's requests, which the kernel does not change.
    let identifier: UInt16
    let family: IPAddress.Family

    /// Whether a packet is complete, and not a reply to another process.
    func accepts(_ packet: UnsafeRawBufferPointer) -> Bool {
        let start = packet.lengthOfIPv4Header(before: family)
        guard packet.count >= start + EchoPacket.headerSize else { return false }
        let message = UnsafeRawBufferPointer(rebasing: packet[start...])
        // The kernel has verified ICMPv6, whose checksum also covers the addresses.
        if family == .ipv4, InternetChecksum.of(message) != 0 { return false }
        let isReply = message[0] == (family == .ipv4 ? 0 : 129)
        // Errors quote the request with its identifier, which is checked where they are parsed.
        return !isReply || UInt16(bigEndian: message.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) == identifier
    }
}

extension Fault {
    /// The fault of a user who may open neither kind of ICMP socket, with the fixes that work here.
    static let noICMP: Fault = {
        #if canImport(Darwin)
        return Fault(.permission, detail: "ICMP is not permitted – run as root")
        #else
        let privilege = geteuid() == 0 ? "" : "sudo "
        var cures = [privilege + #"sysctl -w net.ipv4.ping_group_range="0 2147483647""#]
        // In a container without the capability, the system would refuse to start the program.
        if mayBeRaw { cures.append("\(privilege)setcap cap_net_raw+ep \(executable)") }
        return Fault(.permission, detail: "ICMP is not permitted", cures: cures)
        #endif
    }()

    #if !canImport(Darwin)
    private static var mayBeRaw: Bool {
        #if os(Linux)
        capabilities_may_be_raw()
        #else
        true
        #endif
    }

    private static var executable: String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }
    #endif
}
