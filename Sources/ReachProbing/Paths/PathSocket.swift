#if os(Linux)
import ReachMonitoring
import ReachSystem

/// A socket that sends probes of paths. Closed with the last reference.
final class PathSocket {
    /// The probes that share a socket.
    struct Flow: Sendable, Hashable {
        let method: PathMethod
        let family: IPAddress.Family
        let number: Int
    }

    /// The probes that a socket sends.
    enum Usage: Sendable, Hashable {
        /// Those of a flow, to all destinations.
        case flow(Flow)
        /// A single one.
        case probe(UInt32)
    }

    /// Options of Linux that Swift's modules of the C libraries leave out (<linux/in.h>, <linux/in6.h>, <linux/tcp.h>).
    private enum Option {
        /// IP_MTU_DISCOVER and IPV6_MTU_DISCOVER.
        static let discovery: (CInt, CInt) = (10, 23)
        /// IP_PMTUDISC_PROBE and IPV6_PMTUDISC_PROBE: set "don't fragment", and send packets larger than the known MTU of the
        /// path.
        static let probe: CInt = 3
        /// IP_RECVERR_RFC4884 and IPV6_RECVERR_RFC4884.
        static let extensions: (CInt, CInt) = (26, 31)
        /// IPV6_DONTFRAG.
        static let unfragmented: CInt = 62
        static let synCount: CInt = 7
        static let deferAccept: CInt = 9
    }

    let number: Int
    let descriptor: CInt
    let method: PathMethod
    let family: IPAddress.Family
    let usage: Usage
    /// The local port; for ICMP, the identifier of the requests.
    private(set) var localPort: UInt16 = 0
    /// Whether the socket receives the ICMP messages of the whole machine (raw(7)).
    let isRaw: Bool
    private var hopLimit = 0

    /// Opens a socket for datagrams or echo requests, with a local port or identifier that no other socket has.
    ///
    /// - Parameter identifier: the identifier, if the kernel does not choose it.
    init(_ number: Int, for usage: Usage, by method: PathMethod, _ family: IPAddress.Family, identifier: UInt16)
        throws(Fault)
    {
        self.number = number
        (self.usage, self.method, self.family) = (usage, method, family)
        descriptor =
            method == .icmp
            ? try EchoSocket.descriptor(for: EchoSocket.Kind(family: family, ttl: 64, dscp: 0))
            : openSocket(family, SocketType.datagram)
        isRaw = method == .icmp && SocketType.of(descriptor) == SocketType.raw
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        configure()
        if isRaw {
            localPort = identifier
            return
        }
        let any = family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6: 0, 0)
        guard any.withSocketAddress({ bind(descriptor, $0, $1) }) == 0, let endpoint = LocalEndpoint(of: descriptor)
        else {
            throw Fault(errno: errno)
        }
        localPort = endpoint.port
    }

    /// Starts a connection with a single probe. It is not completed: the kernel delays the acknowledgement of an acceptance
    /// by 200 ms, and closing the socket resets the connection before.
    ///
    /// - Parameters:
    ///   - port: the wanted local port; zero for one that later connections can share, nil for one that the kernel chooses
    ///     by the destination.
    ///   - code: the error number if that fails; zero otherwise.
    init(
        _ number: Int,
        connecting probe: PathProbe,
        to address: IPAddress,
        from port: UInt16?,
        code: inout CInt
    ) throws(Fault) {
        self.number = number
        (usage, method, family) = (.probe(probe.number), .tcp, address.family)
        descriptor = openSocket(family, SocketType.stream)
        isRaw = false
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        configure()
        setHopLimit(probe.hop)
        setOption(Option.synCount, CInt(IPPROTO_TCP), of: descriptor, to: 1)
        setOption(Option.deferAccept, CInt(IPPROTO_TCP), of: descriptor, to: 1)
        var lingering = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        // Connections to several destinations may have the same local port.
        setOption(SO_REUSEADDR, SOL_SOCKET, of: descriptor, to: 1)
        if let port {
            let any = family == .ipv4 ? IPAddress(ipv4: 0) : IPAddress(ipv6: 0, 0)
            code = any.withSocketAddress(port: port) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
            guard code == 0 else { return }
        }
        let destination = probe.destination.port
        code = address.withSocketAddress(port: destination) { connect(descriptor, $0, $1) == 0 ? 0 : errno }
        if code == EINPROGRESS { code = 0 }
        localPort = LocalEndpoint(of: descriptor)?.port ?? 0
    }

    deinit {
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }

    /// Sends a packet. Returns the error number; zero if it was sent.
    func send(_ bytes: [UInt8], to address: IPAddress, port: UInt16, hop: Int) -> CInt {
        setHopLimit(hop)
        return bytes.withUnsafeBytes { bytes in
            address.withSocketAddress(port: method == .icmp ? 0 : port) {
                sendDatagram(bytes, by: descriptor, to: $0, $1)
            }
        }
    }

    private func setHopLimit(_ limit: Int) {
        guard limit != hopLimit else { return }
        hopLimit = limit
        switch family {
        case .ipv4: setOption(IP_TTL, CInt(IPPROTO_IP), of: descriptor, to: CInt(limit))
        case .ipv6: setOption(IPV6_UNICAST_HOPS, CInt(IPPROTO_IPV6), of: descriptor, to: CInt(limit))
        }
    }

    private func configure() {
        DatagramQueue.enableErrors(of: descriptor, family)
        switch family {
        case .ipv4:
            let level = CInt(IPPROTO_IP)
            setOption(Option.discovery.0, level, of: descriptor, to: Option.probe)
            setOption(Option.extensions.0, level, of: descriptor, to: 1)
        case .ipv6:
            let level = CInt(IPPROTO_IPV6)
            setOption(IPV6_V6ONLY, level, of: descriptor, to: 1)
            setOption(Option.discovery.1, level, of: descriptor, to: Option.probe)
            setOption(Option.unfragmented, level, of: descriptor, to: 1)
            setOption(Option.extensions.1, level, of: descriptor, to: 1)
        }
        // On a kernel without this option, the program's own clock is used.
        setOption(KernelTimestamp.option, SOL_SOCKET, of: descriptor, to: 1)
        // The answers to a first round of 255 probes arrive at once.
        if method == .udp { setOption(SO_RCVBUF, SOL_SOCKET, of: descriptor, to: 1 << 20) }
    }
}

/// A socket that makes the kernel stamp arriving packets. It starts to do so a moment after the first socket asks for it;
/// until then, a stamp is the time of reading.
final class StampSwitch {
    private let descriptor: CInt

    init() {
        descriptor = openSocket(.ipv4, SocketType.datagram)
        setOption(KernelTimestamp.option, SOL_SOCKET, of: descriptor, to: 1)
    }

    deinit {
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }
}

/// What the kernel knows about a connection attempt (TCP_INFO of tcp(7)).
struct ConnectionInfo: Sendable, Hashable {
    /// The time from the first packet to the acceptance; nil before it.
    let roundTrip: Duration?
    /// The number of repeated packets.
    let repetitions: UInt32

    /// Reads a connection; nil if the kernel does not report it.
    init?(of descriptor: CInt) {
        // The offsets of tcpi_rtt, in microseconds, and tcpi_total_retrans in the struct tcp_info of <linux/tcp.h>.
        let (roundTripOffset, repetitionsOffset, option) = (68, 100, CInt(11))
        var bytes = [UInt8](repeating: 0, count: 104)
        var size = socklen_t(bytes.count)
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), option, &bytes, &size) == 0, size == 104 else { return nil }
        let numbers = bytes.withUnsafeBytes { bytes in
            [roundTripOffset, repetitionsOffset].map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) }
        }
        roundTrip = numbers[0] > 0 ? .microseconds(Int64(numbers[0])) : nil
        repetitions = numbers[1]
    }
}
#endif
