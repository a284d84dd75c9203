import NIOCore
import NIOPosix
import ReachMonitoring

/// A connector that opens a TCP channel to the first of several addresses that accepts (RFC 8305). Confined to its
/// event loop.
final class Connector {
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

    private let environment: ProberEnvironment
    private let destination: Destination
    private let options: [(option: ChannelOptions.Types.SocketOption, value: Int)]
    private let countsReset: Bool
    private let report: (Event) -> Void
    private var race: ConnectionRace
    private var channels: [IPAddress: [any Channel]] = [:]
    private var timer: Scheduled<Void>?
    private var isStarting = false
    private var isOver = false

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

    /// Starts the attempts that are due.
    func start() {
        guard !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        timer?.cancel()
        timer = nil
        while !isOver, let address = race.next(at: environment.time()) { connect(to: address) }
        guard !isOver, let next = race.nextAttempt else { return }
        timer = environment.gate.schedule(in: max(.zero, next - environment.time())) { [self] in start() }
    }

    /// Closes every attempt in flight.
    func cancel() {
        isOver = true
        timer?.cancel()
        timer = nil
        let others = channels.values.joined()
        channels = [:]
        for channel in others { channel.close(promise: nil) }
    }

    /// The outcome at the deadline, and the address that it came from.
    var outcome: (outcome: Outcome, address: IPAddress) {
        let (outcome, address) = race.outcome
        guard outcome == .timeout, channels[address]?.contains(where: \.isRefusedLocally) == true else {
            return (outcome, address)
        }
        return (.fault(.localFilter), address)
    }

    private func connect(to address: IPAddress) {
        if race.hasOtherAttempts, environment.shortage() != nil {
            return race.postpone(address, at: environment.time())
        }
        let origin: Origin?
        do {
            origin = try destination.origin(address)
        } catch {
            return fail(address, with: .fault(error))
        }
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
            .whenFailure { [weak self] in self?.failed(address, $0, after: handler.value.start) }
    }

    fileprivate var now: Duration { environment.time() }
    fileprivate var gate: LoopGate { environment.gate }

    fileprivate func add(_ channel: any Channel, to address: IPAddress) throws {
        guard !isOver else { throw ChannelError.ioOnClosedChannel }
        channels[address, default: []].append(channel)
    }

    fileprivate func opened(_ channel: any Channel, to address: IPAddress, since start: Duration) {
        let now = environment.time()
        guard !isOver else { return channel.close(promise: nil) }
        guard !channel.isConnectedToItself else {
            channel.close(promise: nil)
            return fail(address, with: .failure(Failure(.refused)))
        }
        channels[address]?.removeAll { $0 === channel }
        cancel()
        report(.open(channel, address, in: now - start))
    }

    private func failed(_ address: IPAddress, _ error: any Error, after start: Duration?) {
        environment.gate.pass()
        let now = environment.time()
        guard !isOver, race.isRunning(address) else { return }
        let outcome = Outcome(error, to: address)
        if countsReset, case .failure(let failure) = outcome, failure.reason == .reset {
            cancel()
            return report(.reset(address, in: now - (start ?? now)))
        }
        if case .fault(let fault) = outcome, fault.isShortage, race.hasOtherAttempts {
            race.postpone(address, at: now)
            return self.start()
        }
        fail(address, with: outcome)
    }

    private func fail(_ address: IPAddress, with outcome: Outcome) {
        race.fail(address, with: outcome, at: environment.time())
        for other in channels.removeValue(forKey: address) ?? [] { other.close(promise: nil) }
        guard race.isOver else { return start() }
        cancel()
        let (outcome, address) = race.outcome
        report(.failed(outcome, address))
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
        gate = connector.gate
        self.connector = connector
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        start = connector?.now
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        gate.pass()
        let connector = connector
        self.connector = nil
        if let connector { connector.opened(context.channel, to: address, since: start ?? connector.now) }
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
