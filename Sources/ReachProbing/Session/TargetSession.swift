import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem

/// The session of one target: its state machine, and the open connection or the current attempt.
struct TargetSession {
    let port: UInt16
    var machine: SessionMachine
    /// The addresses for the next attempt, in order of preference.
    private(set) var addresses: [IPAddress]
    /// The address of the connection or of the last attempt.
    var address: IPAddress
    /// The source of attempts, from the settings.
    var source: String?
    /// The source of the next attempt; nil leaves the choice to the system.
    var origin: Origin?
    /// The current attempt to connect; nil once the connection is open.
    var connector: Connector?
    var channel: (any Channel)?
    /// The number of the current connection or attempt; nil while there is none.
    var attempt: Int?
    /// A connection that has ended for lack of a route, and is closed when there is a route again.
    ///
    /// Its FIN would not reach the peer, and would start a neighbour resolution that fails. Packets to the peer within
    /// the following three seconds would fail with it.
    private var stranded: (any Channel)?

    init(port: UInt16, machine: SessionMachine, addresses: [IPAddress]) {
        self.port = port
        self.machine = machine
        self.addresses = addresses
        address = addresses[0]
    }

    /// Sets the addresses for the next attempt.
    mutating func setAddresses(_ addresses: [IPAddress]) {
        guard addresses != self.addresses else { return }
        self.addresses = addresses
        address = addresses[0]
    }

    /// Records the open connection.
    mutating func opened(_ channel: any Channel, to address: IPAddress) {
        self.channel = channel
        self.address = address
        if addresses[0] != address { addresses = [address] + addresses.filter { $0 != address } }
    }

    /// The address of the open connection; nil while there is none.
    var peer: IPAddress? {
        channel?.remoteAddress.flatMap { IPAddress($0) }
    }

    /// Cancels the attempt or detaches the connection, whose later events are ignored.
    ///
    /// - Returns: The channel to close now.
    mutating func detach() -> (any Channel)? {
        defer { (channel, attempt) = (nil, nil) }
        connector?.cancel()
        connector = nil
        guard machine.isWaiting, channel?.isActive == true else { return channel }
        let earlier = releaseStranded()
        stranded = channel
        // Keep-alive probes would have the same effect as the FIN.
        _ = channel?.setOption(.socketOption(.so_keepalive), value: 0)
        return earlier
    }

    /// Removes and returns the stranded connection, for closing.
    mutating func releaseStranded() -> (any Channel)? {
        defer { stranded = nil }
        return stranded
    }

    /// Returns why this machine has no route to the peer; nil if it has one.
    ///
    /// - Parameter network: the interfaces, if they have just been read.
    func routeFailure(in network: LocalNetwork? = nil) -> Failure? {
        // An open connection depends on its local address, even if there are other routes.
        if let local = channel?.localAddress.flatMap({ IPAddress($0) }) {
            return address.routeFailure(leaving: .address(local), in: network)
        }
        var first: Failure?
        for address in addresses {
            guard let failure = address.routeFailure(leaving: origin, in: network) else { return nil }
            first = first ?? failure
        }
        return first
    }

    /// Returns the cause of the end of an attempt or a connection; nil for a reply, which ends none.
    ///
    /// Some kernels have one error number for an unreachable host and a missing route. This distinguishes them.
    func cause(of outcome: Outcome) -> Outcome? {
        guard !outcome.isReply else { return nil }
        guard case .failure(let failure) = outcome, failure.reason == .hostUnreachable else { return outcome }
        return routeFailure().map { .failure($0) } ?? outcome
    }
}

/// A channel handler that reports the events of a session's connection. It may report several ends; the first one counts.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// An event of the connection.
    enum Event {
        /// The connection is open. The TCP handshake took this long.
        case connected(in: Duration)
        /// The peer sent data.
        case received(ByteBuffer)
        /// The peer closed the connection.
        case closed
        /// The connection failed.
        case failed(any Error)
    }

    private let roundTrip: Duration
    private let report: (Event) -> Void

    init(roundTrip: Duration, report: @escaping (Event) -> Void) {
        self.roundTrip = roundTrip
        self.report = report
    }

    func channelActive(context: ChannelHandlerContext) {
        report(.connected(in: roundTrip))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        report(.received(unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        report(.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        report(.failed(error))
    }
}

/// The TCP keep-alive settings of an idle connection (RFC 9293 §3.8.4).
struct KeepAlive: Sendable, Hashable {
    /// The number of unanswered probes before the connection is dead.
    static let count: CInt = 3

    /// The idle time before the first probe, in seconds.
    let idle: CInt
    /// The interval between probes, in seconds.
    let interval: CInt

    /// Creates settings that detect a dead peer after twice the idle time. The kernel accepts whole seconds from 1 to
    /// 32,767.
    init(idle: Duration) {
        self.idle = CInt(min(max(idle.components.seconds, 1), 32_767))
        interval = max(1, self.idle / Self.count)
    }

    /// How long sent data may stay unacknowledged before the connection is dead, in milliseconds: the same as for a
    /// silent peer (RFC 5482; Linux's `tcp(7)`, TCP_USER_TIMEOUT).
    var userTimeout: CInt {
        (idle + interval * Self.count) * 1_000
    }

    /// The socket options for these settings.
    var options: [(option: ChannelOptions.Types.SocketOption, value: Int)] {
        #if canImport(Darwin)
        let times = [(TCP_KEEPALIVE, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, Self.count)]
        #else
        // The number on Linux. Not every C library exports the name to Swift.
        let tcpUserTimeout: CInt = 18
        let times = [
            (TCP_KEEPIDLE, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, Self.count),
            (tcpUserTimeout, userTimeout),
        ]
        #endif
        let tcp = times.map { (ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: $0)), Int($1)) }
        return [(ChannelOptions.socketOption(.so_keepalive), 1)] + tcp
    }
}

extension Channel {
    /// The kernel's smoothed round trip of a TCP connection (RFC 6298 §2); nil if it has measured none. Must be called
    /// on the channel's event loop.
    var smoothedRoundTrip: Duration? {
        guard let provider = self as? any SocketOptionProvider else { return nil }
        var roundTrip: Duration?
        // On the event loop, the future completes before this call returns.
        #if canImport(Darwin)
        provider.getTCPConnectionInfo().assumeIsolated()
            .whenSuccess { roundTrip = .milliseconds(Int64($0.tcpi_srtt)) }
        #else
        provider.getTCPInfo().assumeIsolated()
            .whenSuccess { roundTrip = .microseconds(Int64($0.tcpi_rtt)) }
        #endif
        return roundTrip == .zero ? nil : roundTrip
    }

    /// Whether a packet filter of this machine drops the packets of a connection that is being opened. See
    /// ``Handshake/timeout(of:)``. Must be called on the channel's event loop.
    var isRefusedLocally: Bool {
        var isRefused = false
        #if os(Linux)
        (self as? any SocketOptionProvider)?.getTCPInfo().assumeIsolated()
            .whenSuccess { isRefused = $0.isRefusedLocally }
        #endif
        return isRefused
    }
}
