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
        let servers =
            switch question.server {
            case .host(_, let port): [probe.address.map { DNSServer(address: $0, port: port) }].compactMap(\.self)
            case .system: resolvers(now)
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
            let address = request.server.address.socketAddress(port: request.server.port)
            let handler = DNSStreamHandler(query: request.query.message, hear: hear, fail: fail)
            handler.connect(to: address, on: loop) { [weak self] channel in
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
