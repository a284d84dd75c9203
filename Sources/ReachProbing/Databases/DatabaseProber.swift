import NIOCore
import ReachBasics
import ReachMonitoring

/// A prober that connects to database servers and begins a login, each on a new connection. Confined to its event loop.
final class DatabaseProber: AttemptProber, RacingProber {
    let environment: ProberEnvironment
    var attempts = InFlight<ConnectionAttempt>()

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .database(let question) = probe.question else { return }
        let stopwatch = Stopwatch(of: probe, to: question.host, at: environment.time())
        var options = question.tls
        // A server of PostgreSQL begins TLS on request.
        options.starttls = question.wireProtocol == .postgres ? .postgres : nil
        let connection = Connection(
            Connection.Configuration(
                destination: Connector.Destination(addresses, port: question.port, for: probe),
                identity: question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil,
                options: options
            ),
            stopwatch: stopwatch,
            in: environment
        )
        let ticket = attempts.add(ConnectionAttempt(probe, over: connection), deadline: probe.deadline)
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .open(let channel): begin(question, on: channel, of: connection, stopwatch, ticket)
            case .over(let outcome): end(ticket, outcome)
            }
        }
    }

    private func begin(
        _ question: DatabaseQuestion,
        on channel: any Channel,
        of connection: Connection,
        _ stopwatch: Stopwatch,
        _ ticket: InFlight<ConnectionAttempt>.Ticket
    ) {
        let conversation = question.conversation(nonce: Self.nonce())
        let exchange = DatabaseExchange(conversation, stopwatch: stopwatch, in: environment) {
            [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .accepted(let detail):
                var reply = Reply(connection.certificate, at: environment.contexts.now, question.tls, stopwatch)
                if let detail { reply.detail = detail }
                // The end of the probe comes first: a connection in clear reports its closure at once.
                attempts[ticket]?.releaseConnection()
                end(ticket, .reply(reply))
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
}

/// A channel handler that performs a conversation with a database server on an open connection.
final class DatabaseExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The result of an exchange.
    enum Event {
        /// The server accepts clients; the detail is shown beside the health.
        case accepted(detail: String?)
        /// The server failed, or refused the client.
        case failed(Failure)
        /// The server demands something that this program does not support.
        case refused(Fault)
    }

    private let environment: ProberEnvironment
    private let stopwatch: Stopwatch
    private let report: (Event) -> Void
    private var conversation: any DatabaseConversation
    private var context: ChannelHandlerContext?
    private var hasReceived = false
    private var isOver = false

    /// - Parameter report: called once, with the result.
    init(
        _ conversation: any DatabaseConversation,
        stopwatch: Stopwatch,
        in environment: ProberEnvironment,
        report: @escaping (Event) -> Void
    ) {
        self.conversation = conversation
        self.environment = environment
        self.stopwatch = stopwatch
        self.report = report
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        stopwatch.resume(at: environment.time())
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
                stopwatch.end(.processing, at: environment.time())
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
        stopwatch.end(.processing, at: environment.time())
        let gate = environment.gate
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        let isStarted = WorkerPool.shared.start {
            let derived = key.derived()
            gate.enter { bound.value.receive(key: derived) }
        }
        if !isStarted { end(.refused(Fault(.noMemory, detail: "too many keys are being derived for logins"))) }
    }

    private func receive(key: [UInt8]) {
        guard !isOver, let context else { return }
        stopwatch.resume(at: environment.time())
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
