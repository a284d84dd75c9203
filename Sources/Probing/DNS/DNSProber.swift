import Monitoring
import NIOCore

/// Asks DNS servers. Confined to its event loop.
///
/// Queries that leave within a few seconds share a socket where the system allows it; an answer is then known by its
/// query's random identifier, the server's address and port, and the question (RFC 5452 §9.1). A port for each query
/// (§9.2) keeps forgers out of caches; here nothing is cached, and the port changes before many could be tried.
final class DNSProber: Prober {
    private struct Attempt {
        var conversation: DNSConversation
        /// When the last request left.
        let sent: Duration
        /// What the answer to the last request is known by, if that went over a socket with others.
        let wait: DNSWait?
        /// Closes what the last request needed for itself.
        var close: () -> Void = {}
    }

    private let loop: any EventLoop
    private let resolvers: (Duration) -> [DNSServer]
    private let time: () -> Duration
    private let wallTime: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()
    #if os(Linux)
        private var sockets = DNSSocketShelf()
        /// What was asked over the shared sockets and is not answered.
        private var awaited: [DNSWait: InFlight<Attempt>.Ticket] = [:]
        /// Turns the kernel's time stamps of answers into the program's time.
        private var arrivals = ArrivalClock()
        /// When the batch that is being read was read.
        private var batchTime: Duration?
    #endif

    /// - Parameter resolvers: the machine's own resolvers at a time.
    init(
        loop: any EventLoop,
        resolvers: @escaping (Duration) -> [DNSServer],
        time: @escaping () -> Duration,
        wallTime: @escaping () -> Duration = { .sinceEpoch },
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.resolvers = resolvers
        self.time = time
        self.wallTime = wallTime
        self.tell = tell
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func ask(_ probe: Probe) {
        guard case .dns(let question) = probe.question else { return }
        guard let name = DNSName(askedBy: question) else {
            let detail = "\"\(question.name)\" is no name: labels have 1 to 63 bytes"
            return tell(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
        let now = time()
        let servers: [DNSServer]
        do {
            servers = try self.servers(for: probe, question, at: now)
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        guard let conversation = DNSConversation(probe, question, under: name, with: servers, at: now) else { return }
        send(conversation)
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            close(attempt)
            var conversation = attempt.conversation
            take(conversation.expire(at: time), of: conversation)
        }
        #if os(Linux)
            sockets.tidy(at: time)
        #endif
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { close(attempt) }
    }

    func listen(isPolled: Bool) {
        #if os(Linux)
            sockets.read(isPolled: isPolled)
        #endif
    }

    func keep(for questions: [Question]) {
        #if os(Linux)
            // They would be closed before long, but nobody may look after that any more.
            if questions.isEmpty { sockets.closeAll() }
        #endif
    }

    /// Closes what the last request of an attempt needed.
    private func close(_ attempt: Attempt) {
        attempt.close()
        #if os(Linux)
            if let wait = attempt.wait { awaited[wait] = nil }
        #endif
    }

    /// Whom to ask. Resolvers that no packet from the probe's source can reach, being of the other family, are left out.
    private func servers(
        for probe: Probe,
        _ question: DNSQuestion,
        at time: Duration
    ) throws(Fault) -> [DNSServer] {
        let known =
            switch question.server {
            case .host(_, let port): [probe.address].compactMap(\.self).map { DNSServer(address: $0, port: port) }
            case .system: resolvers(time)
            }
        guard let source = probe.source else { return known }
        var fault: Fault?
        var servers: [DNSServer] = []
        for var server in known {
            do {
                server.origin = try Origin(source, toward: server.address)
                servers.append(server)
            } catch {
                fault = error
            }
        }
        if servers.isEmpty, let fault { throw fault }
        return servers
    }

    /// Sends the request that a conversation has come to.
    private func send(_ conversation: DNSConversation) {
        let request = conversation.request
        let wait = sharedWait(for: request)
        let now = time()
        #if os(Linux)
            if wait != nil, arrivals.time.map({ now - $0 > ArrivalClock.patience }) ?? true {
                arrivals.read(time: now, wall: wallTime())
            }
        #endif
        let attempt = Attempt(conversation: conversation, sent: now, wait: wait)
        let ticket = attempts.add(attempt, deadline: request.deadline)
        #if os(Linux)
            if let wait {
                awaited[wait] = ticket
                return share(request, ticket)
            }
        #endif
        switch request.transport {
        case .datagram:
            sendAlone(request, ticket)
        case .stream:
            let handler = DNSStreamHandler(
                query: request.query.message,
                hear: { [weak self] message in self?.go(on: ticket) { $0.hear(message, at: $1) } },
                fail: { [weak self] in self?.fail(ticket, $0) }
            )
            handler.connect(to: request.server, on: loop) { [weak self] channel in
                self?.attempts.update(ticket) { $0.close = { channel.close(promise: nil) } }
            }
        }
    }

    /// What the answer to a request is known by on a socket that it shares with others; nil if it needs one of its own.
    /// Whoever answers for an unspecified address, or one without its link, has another.
    private func sharedWait(for request: DNSConversation.Request) -> DNSWait? {
        #if os(Linux)
            let address = request.server.address
            guard request.transport == .datagram, !address.isUnspecified, !address.isLinkLocal else { return nil }
            let wait = DNSWait(address: address, port: request.server.port, id: request.query.id)
            return awaited[wait] == nil ? wait : nil
        #else
            return nil
        #endif
    }

    /// Sends a request over a socket of its own.
    private func sendAlone(_ request: DNSConversation.Request, _ ticket: InFlight<Attempt>.Ticket) {
        do {
            let socket = try DatagramSocket.open(
                to: request.server.address,
                port: request.server.port,
                leaving: request.server.origin,
                on: loop,
                hear: { [weak self] datagram in
                    self?.go(on: ticket) { $0.hear(Array(datagram.readableBytesView), at: $1) }
                },
                fail: { [weak self] in self?.fail(ticket, $0) }
            )
            attempts.update(ticket) { $0.close = socket.close }
            try socket.send(request.query.message)
        } catch {
            fail(ticket, error)
        }
    }

    /// Tells a conversation that its last request comes to nothing.
    private func fail(_ ticket: InFlight<Attempt>.Ticket, _ error: any Error) {
        go(on: ticket) { $0.fail(Outcome(error, to: $0.request.server.address), at: $1) }
    }

    /// Tells a conversation what has come, unless it has gone on without.
    private func go(
        on ticket: InFlight<Attempt>.Ticket,
        _ change: (inout DNSConversation, Duration) -> DNSConversation.Step
    ) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        let now = time()
        var step = DNSConversation.Step.wait
        attempts.update(ticket) { step = change(&$0.conversation, now) }
        guard step != .wait, let attempt = attempts.remove(ticket) else { return }
        close(attempt)
        take(step, of: attempt.conversation)
    }

    private func take(_ step: DNSConversation.Step, of conversation: DNSConversation) {
        switch step {
        case .wait:
            break
        case .ask:
            send(conversation)
        case .end(let outcome):
            var probe = conversation.probe
            // Of the machine's resolvers, the one that had the last word.
            probe.address = conversation.request.server.address
            tell(.ended(probe, outcome))
        }
    }

    #if os(Linux)
        private func share(_ request: DNSConversation.Request, _ ticket: InFlight<Attempt>.Ticket) {
            do {
                let kind = DNSSocket.Kind(family: request.server.address.family, origin: request.server.origin)
                let socket = try sockets.socket(kind, until: request.deadline, at: time()) {
                    let listener = DatagramListener(
                        hear: { [weak self] in self?.hear($0) },
                        refuse: { [weak self] in self?.refuse($0, $1) },
                        batchEnded: { [weak self] in self?.batchTime = nil }
                    )
                    return try DNSSocket.open(kind, on: loop, for: listener)
                }
                let code = socket.send(request.query.message, to: request.server)
                guard code == 0 else { throw IOError(errnoCode: code, reason: "send") }
            } catch {
                fail(ticket, error)
            }
        }

        /// Takes in what came to a shared socket.
        private func hear(_ reading: DatagramReading) {
            guard let address = reading.address, let id = DNSReader.identifier(of: reading.bytes) else { return }
            guard let ticket = awaited[DNSWait(address: address, port: reading.port, id: id)] else { return }
            let stamp = reading.messages.withUnsafeBytes { KernelStamp.time(in: $0) }
            let arrival = arrival(of: ticket, at: stamp)
            go(on: ticket) { $0.hear(Array(reading.bytes), at: arrival ?? $1) }
        }

        /// When the answer to an attempt arrived, by the kernel's time stamp; nil where that cannot tell.
        private func arrival(of ticket: InFlight<Attempt>.Ticket, at stamp: Duration?) -> Duration? {
            guard let stamp else { return nil }
            if batchTime == nil {
                let now = time()
                batchTime = now
                arrivals.read(time: now, wall: wallTime())
            }
            return attempts[ticket].flatMap { arrivals.arrival(stamp, asked: $0.sent) }
        }

        /// Takes in that a query over a shared socket came back.
        private func refuse(_ reading: DatagramReading, _ error: ExtendedError) {
            guard let address = reading.address, let failure = error.failure(of: address) else { return }
            let ticket: InFlight<Attempt>.Ticket?
            if let id = DNSReader.identifier(of: reading.bytes) {
                ticket = awaited[DNSWait(address: address, port: reading.port, id: id)]
            } else {
                // Old routers quote no more than the ports (RFC 792): it is about the first that has waited, or as good as.
                ticket = awaited.filter { $0.key.address == address && $0.key.port == reading.port }.values.min()
            }
            if let ticket { fail(ticket, failure) }
        }
    #endif
}

/// What an answer to a query over a shared socket is known by, before anybody reads its question.
struct DNSWait: Sendable, Hashable {
    let address: IPAddress
    let port: UInt16
    let id: UInt16
}
