import NIOCore
import NIOPosix
import ReachMonitoring

/// A connector that opens a TCP channel to the first of several addresses that accepts (RFC 8305). Confined to its
/// event loop. Connections without data need no channel, and are opened by ``HandshakeProber`` on Linux.
final class Connector: RacingAttempts {
    /// The addresses to connect to, the source, and the deadline.
    struct Destination {
        /// In the order of preference; not empty.
        var addresses: [IPAddress]
        let port: UInt16
        let deadline: Duration
        /// Returns the source for an attempt to an address; nil leaves the choice to the system.
        let origin: (IPAddress) throws(Fault) -> Origin?
    }

    /// The result of a connector.
    enum Event {
        /// The connection is open, this long after its first packet. Handlers added now see the channel become active.
        case open(any Channel, IPAddress, in: Duration)
        /// The peer accepted a connection and reset it before it could be used.
        case reset(IPAddress, in: Duration)
        /// No address accepted a connection; the address is the one that the outcome came from.
        case failed(Outcome, IPAddress)
    }

    let environment: ProberEnvironment
    private let destination: Destination
    private let options: [(option: ChannelOptions.Types.SocketOption, value: Int)]
    private let countsReset: Bool
    private let report: (Event) -> Void
    var race: ConnectionRace
    var timer: Scheduled<Void>?
    var isStarting = false
    var isOver = false
    private var channels: [IPAddress: [any Channel]] = [:]

    /// - Parameters:
    ///   - repetition: the time after which all addresses are tried again; nil if they are tried once.
    ///   - options: the socket options.
    ///   - countsReset: whether a connection that the peer resets at once counts as a connection.
    ///   - report: called at most once, and not after ``cancel()``.
    init(
        to destination: Destination,
        in environment: ProberEnvironment,
        repetition: Duration? = nil,
        options: [(option: ChannelOptions.Types.SocketOption, value: Int)] = [],
        countsReset: Bool = false,
        report: @escaping (Event) -> Void
    ) {
        self.destination = destination
        self.environment = environment
        self.options = options
        self.countsReset = countsReset
        self.report = report
        race = ConnectionRace(
            destination.addresses,
            from: environment.time(),
            until: destination.deadline,
            repetition: repetition
        )
    }

    /// The outcome at the deadline, and the address that it came from.
    var outcome: (outcome: Outcome, address: IPAddress) {
        let (outcome, address) = race.outcome
        guard outcome == .timeout, channels[address]?.contains(where: \.isRefusedLocally) == true else {
            return (outcome, address)
        }
        return (.fault(.localFilter), address)
    }

    func connect(to address: IPAddress) throws {
        let origin = try destination.origin(address)
        let handler = NIOLoopBound(AttemptHandler(address, of: self), eventLoop: environment.loop)
        options
            .reduce(ClientBootstrap(group: environment.loop)) { $0.channelOption($1.option, value: $1.value) }
            // The probes have their own deadlines, which account for a stopped process.
            .connectTimeout(.hours(24))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try handler.value.connector?.add(channel, to: address)
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .leaving(from: origin, toward: address)
            .connect(to: address.socketAddress(port: destination.port))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.fail(address, $0, after: handler.value.start) }
    }

    func closeAttempts(to address: IPAddress?) {
        let closed = channels.filter { address == nil || $0.key == address }
        for address in closed.keys { channels[address] = nil }
        for channel in closed.values.joined() { channel.close(promise: nil) }
    }

    func failed(_ outcome: Outcome, at address: IPAddress) {
        report(.failed(outcome, address))
    }

    fileprivate func add(_ channel: any Channel, to address: IPAddress) throws {
        guard !isOver else { throw ChannelError.ioOnClosedChannel }
        channels[address, default: []].append(channel)
    }

    fileprivate func opened(_ channel: any Channel, to address: IPAddress, since start: Duration?) {
        let now = environment.time()
        guard !isOver else { return channel.close(promise: nil) }
        guard !channel.isConnectedToItself else {
            channel.close(promise: nil)
            return fail(address, with: .failure(Failure(.refused)))
        }
        channels[address]?.removeAll { $0 === channel }
        cancel()
        report(.open(channel, address, in: now - (start ?? now)))
    }

    private func fail(_ address: IPAddress, _ error: any Error, after start: Duration?) {
        environment.gate.pass()
        guard !isOver, race.isRunning(address) else { return }
        let now = environment.time()
        let outcome = Outcome(error, to: address)
        guard countsReset, case .failure(let failure) = outcome, failure.reason == .reset else {
            return fail(address, with: outcome)
        }
        cancel()
        report(.reset(address, in: now - (start ?? now)))
    }
}

extension Connector.Destination {
    /// The destination of a probe's host, or of the host of a redirect.
    init(_ addresses: [IPAddress], port: UInt16, for probe: Probe) {
        self.init(addresses: addresses, port: port, deadline: probe.deadline) { address throws(Fault) in
            try probe.origin(toward: address)
        }
    }
}

/// A handler that times one attempt and reports its success. As the first handler of a connection, it passes the gate
/// before each event.
private final class AttemptHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Nil once the attempt has ended.
    private(set) var connector: Connector?
    private(set) var start: Duration?
    private let address: IPAddress
    private let gate: LoopGate

    init(_ address: IPAddress, of connector: Connector) {
        self.address = address
        gate = connector.environment.gate
        self.connector = connector
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        start = connector?.environment.time()
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        gate.pass()
        let connector = connector
        self.connector = nil
        connector?.opened(context.channel, to: address, since: start)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.pass()
        // A stall may have closed the connection.
        if context.channel.isActive { context.fireChannelRead(data) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        gate.pass()
        connector = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        gate.pass()
        context.fireErrorCaught(error)
    }
}

extension Channel {
    /// Whether both ends are this socket: a connection to a closed local port may leave from that very port.
    var isConnectedToItself: Bool {
        localAddress != nil && localAddress == remoteAddress
    }
}
