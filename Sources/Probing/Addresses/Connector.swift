import Monitoring
import NIOCore
import NIOPosix

/// Opens one TCP channel to the first of several addresses that accepts it (RFC 8305). Confined to its event loop.
final class Connector {
    /// Where to connect, from where, and by when.
    struct Destination {
        /// In the order of preference; not empty.
        let addresses: [IPAddress]
        let port: UInt16
        let deadline: Duration
        /// Where an attempt to an address leaves from; nil leaves the choice to the system.
        let origin: (IPAddress) throws(Fault) -> Origin?
    }

    /// How it ends.
    enum Event {
        /// A connection stands, this long after its first packet. Handlers that are added now see the channel become active.
        case open(any Channel, IPAddress, in: Duration)
        /// The peer accepted a connection and reset it before it could be used.
        case reset(IPAddress, in: Duration)
        /// No address accepted a connection; the address is the one that the outcome came from.
        case failed(Outcome, IPAddress)
    }

    private let loop: any EventLoop
    private let destination: Destination
    private let options: [(option: ChannelOptions.Types.SocketOption, value: Int)]
    private let countsReset: Bool
    private let shortage: () -> Fault?
    fileprivate let time: () -> Duration
    private let report: (Event) -> Void
    private var race: ConnectionRace
    private var channels: [IPAddress: [any Channel]] = [:]
    private var timer: Scheduled<Void>?
    private var isStarting = false
    private var isOver = false

    /// - Parameters:
    ///   - repetition: the time after which all addresses are tried again; nil if they are tried once.
    ///   - options: of the socket.
    ///   - countsReset: whether a connection that the peer resets at once is a connection.
    ///   - shortage: why no further attempt may take a descriptor; nil where one may. Not called for the first one.
    ///   - report: called once at the most, and not after ``cancel()``.
    init(
        to destination: Destination,
        on loop: any EventLoop,
        from now: Duration,
        repetition: Duration? = nil,
        options: [(option: ChannelOptions.Types.SocketOption, value: Int)] = [],
        countsReset: Bool = false,
        shortage: @escaping () -> Fault?,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.destination = destination
        self.loop = loop
        self.options = options
        self.countsReset = countsReset
        self.shortage = shortage
        self.time = time
        self.report = report
        race = ConnectionRace(
            destination.addresses,
            from: now,
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
        while true {
            // If this process was stopped meanwhile, the attempt is void, and cancelled by this.
            let now = time()
            guard !isOver else { return }
            guard let address = race.next(at: now) else { break }
            connect(to: address)
        }
        guard let next = race.nextAttempt else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let pause = max(.zero, next - time())
        guard !isOver else { return }
        timer = loop.scheduleTask(in: .nanoseconds(pause.nanoseconds)) { bound.value.start() }
    }

    /// Ends it: closes every attempt under way.
    func cancel() {
        isOver = true
        timer?.cancel()
        timer = nil
        let others = channels.values.joined()
        channels = [:]
        for channel in others { channel.close(promise: nil) }
    }

    /// How it ends at its deadline, and the address that this came from.
    var outcome: (outcome: Outcome, address: IPAddress) { race.outcome }

    private func connect(to address: IPAddress) {
        if race.hasCompany, shortage() != nil { return race.postpone(address, at: time()) }
        let origin: Origin?
        do {
            origin = try destination.origin(address)
        } catch {
            return fail(address, with: .fault(error))
        }
        let handler = NIOLoopBound(AttemptHandler(address, of: self), eventLoop: loop)
        options
            .reduce(ClientBootstrap(group: loop)) { $0.channelOption($1.option, value: $1.value) }
            // The deadlines are the probes' own, which know when the process was stopped.
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

    fileprivate func add(_ channel: any Channel, to address: IPAddress) throws {
        guard !isOver else { throw ChannelError.ioOnClosedChannel }
        channels[address, default: []].append(channel)
    }

    fileprivate func opened(_ channel: any Channel, to address: IPAddress, since start: Duration) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        let now = time()
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
        let now = time()
        guard !isOver, race.isRunning(address) else { return }
        let outcome = Outcome(error, to: address)
        if countsReset, case .failure(let failure) = outcome, failure.reason == .reset {
            cancel()
            return report(.reset(address, in: now - (start ?? now)))
        }
        if case .fault(let fault) = outcome, fault.isShortage, race.hasCompany {
            race.postpone(address, at: now)
            return self.start()
        }
        fail(address, with: outcome)
    }

    private func fail(_ address: IPAddress, with outcome: Outcome) {
        race.fail(address, with: outcome, at: time())
        for other in channels.removeValue(forKey: address) ?? [] { other.close(promise: nil) }
        guard race.isOver else { return start() }
        cancel()
        let (outcome, address) = race.outcome
        report(.failed(outcome, address))
    }
}

extension Connector.Destination {
    /// The addresses of a probe's host, or of another one that the probe was led to.
    init(_ addresses: [IPAddress], port: UInt16, for probe: Probe) {
        self.init(addresses: addresses, port: port, deadline: probe.deadline) { address throws(Fault) in
            try probe.origin(toward: address)
        }
    }
}

/// One attempt: times it, and reports that it succeeded.
private final class AttemptHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Nil once the attempt has ended.
    private(set) var connector: Connector?
    private(set) var start: Duration?
    private let address: IPAddress

    init(_ address: IPAddress, of connector: Connector) {
        self.address = address
        self.connector = connector
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        start = connector?.time()
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        let connector = connector
        self.connector = nil
        if let connector { connector.opened(context.channel, to: address, since: start ?? connector.time()) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connector = nil
        context.fireChannelInactive()
    }
}

extension Channel {
    /// Whether both ends are this socket: a connection to a closed port of this machine may leave from that very port.
    var isConnectedToItself: Bool {
        localAddress != nil && localAddress == remoteAddress
    }
}
