import Monitoring
import NIOCore

/// Asks by datagrams, each from a socket of its own. Confined to its event loop.
final class DatagramProber: Prober {
    private struct Attempt {
        let probe: Probe
        let start: Duration
        /// What the answer is held against; any will do without.
        let pattern: String?
        var socket: DatagramSocket?
        var isAnswered = false
    }

    private let loop: any EventLoop
    private let desk: SearchDesk
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        loop: any EventLoop,
        desk: SearchDesk,
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.desk = desk
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func ask(_ probe: Probe) {
        guard case .udp(_, let port, let options) = probe.question, let address = probe.address else { return }
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        let attempt = Attempt(probe: probe, start: time(), pattern: options.expect)
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        do {
            let socket = try DatagramSocket.open(
                to: address,
                port: port,
                leaving: origin,
                on: loop,
                hear: { [weak self] in self?.hear($0, ticket) },
                fail: { [weak self] in self?.end(ticket, Outcome($0, to: address)) }
            )
            attempts.update(ticket) { $0.socket = socket }
            try socket.send(options.send?.bytes ?? [])
        } catch {
            end(ticket, Outcome(error, to: address))
        }
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            attempt.socket?.close()
            // A pattern that takes so long is at fault, and not the target.
            let fault = attempt.isAnswered ? attempt.pattern.flatMap(desk.fault) : nil
            tell(.ended(attempt.probe, fault.map { .fault($0) } ?? .timeout))
        }
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.socket?.close() }
    }

    func keep(for questions: [Question]) {}

    /// A datagram is an answer as a whole, right or wrong, and the first one decides.
    private func hear(_ datagram: ByteBuffer, _ ticket: InFlight<Attempt>.Ticket) {
        let now = time()
        var answered: Attempt?
        attempts.update(ticket) { attempt in
            guard !attempt.isAnswered else { return }
            attempt.isAnswered = true
            answered = attempt
        }
        guard let attempt = answered else { return }
        let roundTrip = now - attempt.start
        let resolve = Reply.PhaseTime(.resolve, attempt.start - attempt.probe.made)
        let reply = Outcome.reply(Reply(roundTrip: roundTrip, phases: [resolve, .init(.processing, roundTrip)]))
        guard let pattern = attempt.pattern else { return end(ticket, reply) }
        var expectation = Expectation(pattern)
        expectation.hear(datagram.readableBytesView)
        let empty = Failure(.answerMismatch, detail: "an empty answer")
        let failure = expectation.hasHeard ? expectation.failure : empty
        guard var search = expectation.nextSearch() else { return }
        search.isWhole = true
        desk.run(search) { [weak self] result in
            switch result {
            case .success(let match): self?.end(ticket, match == .none ? .failure(failure) : reply)
            case .failure(let fault): self?.end(ticket, .fault(fault))
            }
        }
    }

    /// Ends an attempt, unless it has ended; whatever its socket says from then on is nobody's.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.socket?.close()
        tell(.ended(attempt.probe, outcome))
    }
}
