import Monitoring
import NIOCore

/// Asks DNS servers. Every query has a socket, and so an unpredictable port, of its own (RFC 5452 §9.2): nobody who does
/// not see it can answer it. Confined to its event loop.
final class DNSProber: Prober {
    private struct Attempt {
        var conversation: DNSConversation
        /// Closes what the last request needed.
        var close: () -> Void = {}
    }

    private let loop: any EventLoop
    private let resolvers: (Duration) -> [DNSServer]
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()

    /// - Parameter resolvers: the machine's own resolvers at a time.
    init(
        loop: any EventLoop,
        resolvers: @escaping (Duration) -> [DNSServer],
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.resolvers = resolvers
        self.time = time
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
            attempt.close()
            var conversation = attempt.conversation
            take(conversation.expire(at: time), of: conversation)
        }
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.close() }
    }

    func keep(for questions: [Question]) {}

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
        let ticket = attempts.add(Attempt(conversation: conversation), deadline: request.deadline)
        let hear = { [weak self] (message: [UInt8]) in
            guard let self else { return }
            go(on: ticket) { $0.hear(message, at: $1) }
        }
        let fail = { [weak self] (error: any Error) in
            guard let self else { return }
            go(on: ticket) { $0.fail(Outcome(error, to: request.server.address), at: $1) }
        }
        switch request.transport {
        case .datagram:
            do {
                let socket = try DatagramSocket.open(
                    to: request.server.address,
                    port: request.server.port,
                    leaving: request.server.origin,
                    on: loop,
                    hear: { hear(Array($0.readableBytesView)) },
                    fail: fail
                )
                attempts.update(ticket) { $0.close = socket.close }
                try socket.send(request.query.message)
            } catch {
                fail(error)
            }
        case .stream:
            let handler = DNSStreamHandler(query: request.query.message, hear: hear, fail: fail)
            handler.connect(to: request.server, on: loop) { [weak self] channel in
                self?.attempts.update(ticket) { $0.close = { channel.close(promise: nil) } }
            }
        }
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
        attempt.close()
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
}
