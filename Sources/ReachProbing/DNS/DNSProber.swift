import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem

/// A prober that queries DNS servers. Confined to its event loop.
///
/// On Linux, queries within a few seconds share a socket. An answer is then identified by the random identifier of its
/// query, the server's address and port, and the question (RFC 5452 §9.1). A port for each query (§9.2) protects caches
/// from forged answers. Here nothing is cached, and the port changes before many identifiers could be tried.
final class DNSProber: MethodProber {
    private final class Attempt {
        var conversation: DNSConversation
        /// When the last request was sent.
        let sent: Duration
        /// The key of the last request on a shared socket; nil if it has a socket of its own.
        let key: DNSQueryKey?
        /// The address from which the answer came, if it is not that of the server.
        var otherSource: IPAddress?
        /// Closes the socket or connection of the last request, if it is not shared.
        var close: () -> Void = {}

        init(_ conversation: DNSConversation, sent: Duration, key: DNSQueryKey?) {
            self.conversation = conversation
            self.sent = sent
            self.key = key
        }
    }

    private let environment: ProberEnvironment
    private let resolvers: (Duration) -> [DNSServer]
    private let wallTime: () -> Duration
    private var attempts = InFlight<Attempt>()
    #if os(Linux)
    private var sockets = DNSSocketPool()
    /// The pending queries on shared sockets.
    private var pending: [DNSQueryKey: InFlight<Attempt>.Ticket] = [:]
    /// Converts kernel timestamps to the program's time.
    private var arrivals = ArrivalClock()
    /// The time of the current batch of datagrams; nil between batches.
    private var batchTime: Duration?
    #endif

    /// - Parameter resolvers: returns the resolvers of this machine at a time.
    init(
        _ environment: ProberEnvironment,
        resolvers: @escaping (Duration) -> [DNSServer],
        wallTime: @escaping () -> Duration = { .sinceEpoch }
    ) {
        self.environment = environment
        self.resolvers = resolvers
        self.wallTime = wallTime
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func send(_ probe: Probe) {
        guard case .dns(let question) = probe.question else { return }
        guard let name = DNSName(queriedBy: question) else {
            let detail = "invalid name \"\(question.name)\": labels have 1 to 63 bytes"
            return environment.report(.ended(probe, .fault(Fault(.internal, detail: detail))))
        }
        let now = environment.time()
        let servers: [DNSServer]
        do {
            servers = try self.servers(for: probe, question, at: now)
        } catch {
            return environment.report(.ended(probe, .fault(error)))
        }
        guard let conversation = DNSConversation(probe, question, under: name, with: servers, at: now) else { return }
        send(conversation)
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            close(attempt)
            var conversation = attempt.conversation
            let action =
                if let source = attempt.otherSource {
                    conversation.fail(.failure(Failure(answeredFrom: source)), at: time)
                } else {
                    conversation.expire(at: time)
                }
            perform(action, of: conversation)
        }
        #if os(Linux)
        sockets.closeExpired(at: time)
        #endif
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() { close(attempt) }
    }

    func listen(isPolled: Bool) {
        #if os(Linux)
        sockets.read(isPolled: isPolled)
        #endif
    }

    func closeUnneeded(for questions: [Question]) {
        #if os(Linux)
        // Without targets, no later call would close the expired sockets.
        if questions.isEmpty { sockets.closeAll() }
        #endif
    }

    /// Closes the socket of the last request of an attempt, or removes its key.
    private func close(_ attempt: Attempt) {
        attempt.close()
        #if os(Linux)
        if let key = attempt.key { pending[key] = nil }
        #endif
    }

    /// Returns the servers to query, without those of another address family than the probe's source.
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

    /// Sends the current request of a conversation.
    private func send(_ conversation: DNSConversation) {
        let request = conversation.request
        let key = sharedKey(for: request)
        let now = environment.time()
        #if os(Linux)
        if key != nil, arrivals.time.map({ now - $0 > ArrivalClock.maximumAge }) ?? true {
            arrivals.read(time: now, wall: wallTime())
        }
        #endif
        let attempt = Attempt(conversation, sent: now, key: key)
        let ticket = attempts.add(attempt, deadline: request.deadline)
        #if os(Linux)
        if let key {
            pending[key] = ticket
            return sendShared(request, ticket)
        }
        #endif
        let exchange = DNSExchange(
            in: environment,
            receive: { [weak self] message in self?.advance(ticket) { $0.receive(message, at: $1) } },
            fail: { [weak self] outcome in self?.advance(ticket) { $0.fail(outcome, at: $1) } }
        )
        attempt.close = exchange.close
        exchange.send(request.query.message, to: request.server, by: request.transport, until: request.deadline)
    }

    /// Returns the key of a request on a shared socket; nil if the request needs a socket of its own.
    ///
    /// Unspecified and link-local addresses need their own: the answer comes from another address.
    private func sharedKey(for request: DNSConversation.Request) -> DNSQueryKey? {
        #if os(Linux)
        let address = request.server.address
        guard request.transport == .datagram, !address.isUnspecified, !address.isLinkLocal else { return nil }
        let key = DNSQueryKey(address: address, port: request.server.port, id: request.query.id)
        return pending[key] == nil ? key : nil
        #else
        return nil
        #endif
    }

    /// Applies an event to the conversation of an attempt, and performs the next action. Ignored after the attempt
    /// ended.
    private func advance(
        _ ticket: InFlight<Attempt>.Ticket,
        _ change: (inout DNSConversation, Duration) -> DNSConversation.Action
    ) {
        environment.gate.pass()
        guard let attempt = attempts[ticket] else { return }
        let action = change(&attempt.conversation, environment.time())
        guard action != .wait else { return }
        _ = attempts.remove(ticket)
        close(attempt)
        perform(action, of: attempt.conversation)
    }

    private func perform(_ action: DNSConversation.Action, of conversation: DNSConversation) {
        switch action {
        case .wait:
            break
        case .send:
            send(conversation)
        case .end(let outcome):
            var probe = conversation.probe
            // The address of the server that was queried last.
            probe.address = conversation.request.server.address
            environment.report(.ended(probe, outcome))
        }
    }

    #if os(Linux)
    /// Reports the failure of a request on a shared socket to its conversation.
    private func fail(_ ticket: InFlight<Attempt>.Ticket, _ error: any Error) {
        advance(ticket) { $0.fail(Outcome(error, to: $0.request.server.address), at: $1) }
    }

    private func sendShared(_ request: DNSConversation.Request, _ ticket: InFlight<Attempt>.Ticket) {
        do {
            let kind = DNSSocket.Kind(family: request.server.address.family, origin: request.server.origin)
            let socket = try sockets.socket(kind, until: request.deadline, at: environment.time()) {
                let listener = DatagramListener(
                    onDatagram: { [weak self] in self?.receive($0) },
                    onError: { [weak self] in self?.handleError($0, $1) },
                    batchEnded: { [weak self] in self?.batchTime = nil }
                )
                return try DNSSocket.open(kind, on: environment.loop, for: listener)
            }
            let code = socket.send(request.query.message, to: request.server)
            guard code == 0 else { throw IOError(errnoCode: code, reason: "send") }
        } catch {
            fail(ticket, error)
        }
    }

    /// Handles a datagram from a shared socket.
    private func receive(_ reading: DatagramReading) {
        guard let address = reading.address, let id = DNSReader.identifier(of: reading.bytes) else { return }
        guard let ticket = pending[DNSQueryKey(address: address, port: reading.port, id: id)] else {
            return recordOtherSource(reading, address, id)
        }
        let stamp = reading.messages.withUnsafeBytes { KernelTimestamp.time(in: $0) }
        let arrival = arrival(of: ticket, at: stamp)
        advance(ticket) { $0.receive(Array(reading.bytes), at: arrival ?? $1) }
    }

    /// Records an answer that comes from another address than that of the server. It is no answer (RFC 5452 §9.1), but
    /// explains a timeout.
    private func recordOtherSource(_ reading: DatagramReading, _ source: IPAddress, _ id: UInt16) {
        for (key, ticket) in pending where key.id == id && key.port == reading.port && key.address != source {
            guard let attempt = attempts[ticket],
                attempt.conversation.request.query.parse(Array(reading.bytes)) != .unrelated
            else { continue }
            attempt.otherSource = source
        }
    }

    /// Returns when an answer arrived by the kernel's timestamp; nil if that is not usable.
    private func arrival(of ticket: InFlight<Attempt>.Ticket, at stamp: Duration?) -> Duration? {
        guard let stamp else { return nil }
        if batchTime == nil {
            let now = environment.time()
            batchTime = now
            arrivals.read(time: now, wall: wallTime())
        }
        return attempts[ticket].flatMap { arrivals.arrival(stamp, sent: $0.sent) }
    }

    /// Handles an ICMP error for a query on a shared socket.
    private func handleError(_ reading: DatagramReading, _ error: ExtendedError) {
        guard let address = reading.address, let failure = error.failure(of: address) else { return }
        let ticket: InFlight<Attempt>.Ticket?
        if let id = DNSReader.identifier(of: reading.bytes) {
            ticket = pending[DNSQueryKey(address: address, port: reading.port, id: id)]
        } else {
            // Old routers quote no more than the ports (RFC 792). The oldest pending query is the best match.
            ticket = pending.filter { $0.key.address == address && $0.key.port == reading.port }.values.min()
        }
        if let ticket { fail(ticket, failure) }
    }
    #endif
}

/// The key of a query on a shared socket, which identifies an answer before its question is parsed.
struct DNSQueryKey: Sendable, Hashable {
    let address: IPAddress
    let port: UInt16
    let id: UInt16
}
