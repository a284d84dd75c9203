import ReachMonitoring
import NIOCore
import ReachBasics

/// A prober that connects to database servers and begins a login, each on a new connection. Confined to its event loop.
final class DatabaseProber: MethodProber {
    private struct Attempt {
        var probe: Probe
        var connection: Connection?
    }

    private typealias Ticket = InFlight<Attempt>.Ticket

    private let gate: LoopGate
    private let contexts: TLSContexts
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        gate: LoopGate,
        contexts: TLSContexts,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.gate = gate
        self.contexts = contexts
        self.shortage = shortage
        self.time = time
        self.report = report
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func send(_ probe: Probe) {
        guard let address = probe.address else { return }
        send(probe, trying: [address])
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .database(let question) = probe.question else { return }
        let stopwatch = Stopwatch(at: probe.made)
        if IPAddress(literal: question.host) == nil { stopwatch.end(.resolve, at: time()) }
        var options = question.tls
        // A server of PostgreSQL begins TLS on request.
        options.starttls = question.wireProtocol == .postgres ? .postgres : nil
        let ticket = attempts.add(Attempt(probe: probe), deadline: probe.deadline)
        let connection = Connection(
            Connection.Configuration(
                destination: Connector.Destination(addresses, port: question.port, for: probe),
                identity: question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil,
                options: options
            ),
            contexts: contexts,
            stopwatch: stopwatch,
            shortage: shortage,
            time: time
        )
        attempts.update(ticket) { $0.connection = connection }
        connection.dial(on: gate.loop) { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .open(let channel):
                begin(question, on: channel, of: connection, stopwatch, ticket)
            case .over(let outcome):
                end(ticket, outcome)
            }
        }
    }

    private func begin(
        _ question: DatabaseQuestion,
        on channel: any Channel,
        of connection: Connection,
        _ stopwatch: Stopwatch,
        _ ticket: Ticket
    ) {
        let exchange = DatabaseExchange(
            question.conversation(nonce: Self.nonce()),
            gate: gate,
            stopwatch: stopwatch,
            time: time
        ) { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .accepted(let detail):
                let expiry = connection.certificateExpiry
                var reply = Reply(expiry: expiry, at: contexts.now, question.tls, stopwatch)
                if let detail { reply.detail = detail }
                // The end of the probe comes first: a connection in clear reports its closure at once.
                end(ticket, .reply(reply), drops: false)
                connection.close()
            case .failed(let failure):
                end(ticket, .failure(failure))
            case .refused(let fault):
                end(ticket, .fault(fault))
            }
        }
        do {
            try channel.pipeline.syncOperations.addHandler(exchange)
        } catch {
            end(ticket, .failure(Failure(.closed)))
        }
    }

    /// A random text for a login.
    private static func nonce() -> String {
        (0..<18).map { _ in UInt8.random(in: .min ... .max) }.base64
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            var probe = attempt.probe
            let outcome = attempt.connection?.outcomeAtTimeout ?? .timeout
            if let address = attempt.connection?.address { probe.address = address }
            attempt.connection?.drop()
            report(.ended(probe, outcome))
        }
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.connection?.drop() }
    }

    private func end(_ ticket: Ticket, _ outcome: Outcome, drops: Bool = true) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the attempt.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        var probe = attempt.probe
        if let address = attempt.connection?.address { probe.address = address }
        if drops { attempt.connection?.drop() }
        report(.ended(probe, outcome))
    }
}

/// A channel handler that has the conversation with a database server on an open connection.
final class DatabaseExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The result of an exchange.
    enum Event {
        /// The server accepts clients; the detail is shown beside the health.
        case accepted(detail: String?)
        /// The exchange ended without that.
        case failed(Failure)
        /// This program cannot do what the server demands.
        case refused(Fault)
    }

    private let gate: LoopGate
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private let report: (Event) -> Void
    private var conversation: any DatabaseConversation
    private var context: ChannelHandlerContext?
    private var hasReceived = false
    private var isOver = false

    /// - Parameter report: called once, with the result.
    init(
        _ conversation: any DatabaseConversation,
        gate: LoopGate,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.conversation = conversation
        self.gate = gate
        self.stopwatch = stopwatch
        self.time = time
        self.report = report
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        stopwatch.resume(at: time())
        send(conversation.opening, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        hasReceived = true
        perform(conversation.receive(Array(buffer: unwrapInboundIn(data))), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let detail = hasReceived ? "closed in the middle of the login" : "closed without an answer"
        end(.failed(Failure(.closed, detail: detail)))
        context.fireChannelInactive()
    }

    private func perform(_ actions: [DatabaseAction], _ context: ChannelHandlerContext) {
        for action in actions where !isOver {
            switch action {
            case .send(let bytes):
                send(bytes, context)
            case .derive(let key):
                derive(key)
            case .succeed(let detail, let farewell):
                stopwatch.end(.processing, at: time())
                send(farewell, context)
                end(.accepted(detail: detail))
            case .fail(let failure):
                end(.failed(failure))
            case .refuse(let fault):
                end(.refused(fault))
            }
        }
    }

    /// Derives a key off the event loop. This time is not the server's, so the stopwatch pauses.
    private func derive(_ key: PasswordKey) {
        stopwatch.end(.processing, at: time())
        let gate = gate
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        Task.detached {
            let derived = key.derived()
            gate.enter { bound.value.receive(key: derived) }
        }
    }

    private func receive(key: [UInt8]) {
        guard !isOver, let context else { return }
        stopwatch.resume(at: time())
        perform(conversation.receive(key: key), context)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func end(_ event: Event) {
        guard !isOver else { return }
        isOver = true
        report(event)
    }
}
