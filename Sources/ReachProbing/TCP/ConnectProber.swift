import NIOCore
import NIOPosix
import ReachMonitoring

/// A prober that opens TCP connections, and exchanges a payload and an answer. Confined to its event loop.
final class ConnectProber: AttemptProber {
    final class Attempt: ProbeAttempt {
        var probe: Probe
        let handler: ConnectHandler
        var connector: Connector?
        /// Nil until the connection is open.
        var channel: (any Channel)?

        init(_ probe: Probe, _ handler: ConnectHandler) {
            self.probe = probe
            self.handler = handler
        }

        var outcomeAtTimeout: Outcome {
            guard channel == nil, let connector else { return handler.outcomeAtTimeout }
            // Closed first: with data, a connection that the packet filter of this machine drops is a timeout.
            connector.cancel()
            let outcome: Outcome
            (outcome, probe.address) = connector.outcome
            return outcome
        }

        var searchedPattern: String? { handler.searchedPattern }

        func close() {
            connector?.cancel()
            channel?.close(promise: nil)
        }
    }

    let environment: ProberEnvironment
    var attempts = InFlight<Attempt>()
    /// The prober for connections without data; nil on systems where channels do that, too.
    private let handshakes: (any MethodProber)?

    init(_ environment: ProberEnvironment) {
        self.environment = environment
        #if os(Linux)
        handshakes = HandshakeProber(environment)
        #else
        handshakes = nil
        #endif
    }

    var nextDeadline: Duration? {
        guard let first = handshakes?.nextDeadline else { return attempts.nextDeadline }
        return attempts.nextDeadline.map { min($0, first) } ?? first
    }

    func send(_ probe: Probe) {
        guard let address = probe.address else { return }
        if let handshakes, probe.question.isTimedByKernel { return handshakes.send(probe) }
        connect(probe, to: [address])
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        if let handshakes, probe.question.isTimedByKernel { return handshakes.send(probe, trying: addresses) }
        connect(probe, to: addresses)
    }

    private func connect(_ probe: Probe, to addresses: [IPAddress]) {
        guard case .tcp(_, let port, let options) = probe.question else { return }
        let handler = ConnectHandler(options: options, time: environment.time) { [environment] search, completion in
            environment.searches.run(search, completion: completion)
        }
        let attempt = Attempt(probe, handler)
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        handler.ended = { [weak self] in self?.end(ticket, $0) }
        let connector = Connector(
            to: Connector.Destination(addresses, port: port, for: probe),
            in: environment,
            countsReset: handler.acceptsConnectionAlone,
            report: { [weak self] in self?.handle($0, of: ticket) }
        )
        attempt.connector = connector
        connector.start()
    }

    private func handle(_ event: Connector.Event, of ticket: InFlight<Attempt>.Ticket) {
        switch event {
        case .open(let channel, let address, let roundTrip):
            guard let attempt = attempts[ticket] else { return channel.close(promise: nil) }
            attempt.channel = channel
            attempt.probe.address = address
            let handler = attempt.handler
            handler.opened(to: address, in: roundTrip)
            do {
                let watch = WriteErrorHandler { [weak handler] in handler?.fail($0) }
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(watch)
                try pipeline.addHandler(handler)
            } catch {
                end(ticket, Outcome(error, to: address))
            }
        case .reset(let address, let roundTrip):
            attempts[ticket]?.probe.address = address
            end(ticket, .reply(roundTrip: roundTrip))
        case .failed(let outcome, let address):
            attempts[ticket]?.probe.address = address
            end(ticket, outcome)
        }
    }

    func listen(isPolled: Bool) {
        handshakes?.listen(isPolled: isPolled)
    }

    func expire(at time: Duration) {
        handshakes?.expire(at: time)
        expireAttempts(at: time)
    }

    func discardInFlight(at time: Duration) {
        handshakes?.discardInFlight(at: time)
        discardAttempts()
    }

    func closeUnneeded(for questions: [Question]) {
        handshakes?.closeUnneeded(for: questions)
    }
}

/// A channel handler that sends the payload and checks the answer of a TCP probe.
final class ConnectHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let send: Payload?
    private var expectation: Expectation?
    /// Runs a pattern search.
    private let run: (PatternSearch, @escaping (Result<PatternSearch.Match, Fault>) -> Void) -> Void
    /// Called with the outcome.
    var ended: (Outcome) -> Void = { _ in }
    private var address: IPAddress?
    private let time: () -> Duration
    private var roundTrip: Duration?
    /// When the connection was open, and when the newest part of the answer came.
    private var (opened, answered): (Duration?, Duration?)
    /// The end of the connection, while a search in the received bytes is still running.
    private var pendingEnd: Outcome?

    init(
        options: TCPOptions,
        time: @escaping () -> Duration,
        run: @escaping (PatternSearch, @escaping (Result<PatternSearch.Match, Fault>) -> Void) -> Void
    ) {
        send = options.send
        expectation = options.expect.map { Expectation($0) }
        self.time = time
        self.run = run
    }

    /// The reply: the connection, and the time until the answer that was expected. Nil before the connection is open.
    private var reply: Outcome? {
        guard let roundTrip else { return nil }
        guard let opened, let answered else { return .reply(roundTrip: roundTrip) }
        let wait = answered - opened
        return .reply(
            Reply(roundTrip: roundTrip + wait, phases: [.init(.connect, roundTrip), .init(.processing, wait)])
        )
    }

    /// The outcome at the timeout, if the peer sends nothing more.
    var outcomeAtTimeout: Outcome {
        if let reply, expectation?.matchesAtEnd == true { return reply }
        return expectation?.failureAtTimeout.map { .failure($0) } ?? .timeout
    }

    /// The pattern of the running search; nil if there is none.
    var searchedPattern: String? {
        expectation.flatMap { $0.isSearching ? $0.pattern : nil }
    }

    /// Whether the connection alone is the expected reply.
    var acceptsConnectionAlone: Bool { expectation == nil }

    /// Records the open connection.
    ///
    /// - Parameter roundTrip: the duration of the TCP handshake.
    func opened(to address: IPAddress, in roundTrip: Duration) {
        self.address = address
        self.roundTrip = roundTrip
        opened = time()
    }

    func channelActive(context: ChannelHandlerContext) {
        if let send {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: send.bytes)), promise: nil)
        }
        if expectation == nil, let reply { ended(reply) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answered = time()
        expectation?.receive(unwrapInboundIn(data).readableBytesView)
        search()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let failure = expectation?.failure { end(.failure(failure)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }

    /// Handles a connection error.
    func fail(_ error: any Error) {
        guard let address else { return }
        end(Outcome(error, to: address))
    }

    private func search() {
        guard let search = expectation?.nextSearch() else { return }
        run(search) { [weak self] in self?.handleSearchResult($0) }
    }

    private func handleSearchResult(_ result: Result<PatternSearch.Match, Fault>) {
        guard let reply, var expectation else { return }
        switch result {
        case .failure(let fault):
            ended(.fault(fault))
        case .success(let match):
            let matches = expectation.finishSearch(match)
            self.expectation = expectation
            switch matches {
            case true?: ended(reply)
            case false?: ended(.failure(expectation.failure))
            case nil:
                search()
                if let pendingEnd { end(pendingEnd) }
            }
        }
    }

    /// Handles the end of the connection. The bytes received before may still match.
    private func end(_ outcome: Outcome) {
        guard expectation?.isSearching == true else {
            guard let reply, expectation?.matchesAtEnd == true else { return ended(outcome) }
            return ended(reply)
        }
        pendingEnd = pendingEnd ?? outcome
    }
}
