import ReachMonitoring
import NIOCore

/// A prober that sends UDP datagrams, each from a socket of its own. Confined to its event loop.
final class DatagramProber: MethodProber {
    private struct Attempt {
        let probe: Probe
        let start: Duration
        /// The pattern that the answer must match; nil accepts any answer.
        let pattern: String?
        var socket: DatagramSocket?
        var isAnswered = false
    }

    private let loop: any EventLoop
    private let searches: PatternSearcher
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        loop: any EventLoop,
        searches: PatternSearcher,
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.loop = loop
        self.searches = searches
        self.time = time
        self.report = report
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func send(_ probe: Probe) {
        guard case .udp(_, let port, let options) = probe.question, let address = probe.address else { return }
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return report(.ended(probe, .fault(error)))
        }
        let attempt = Attempt(probe: probe, start: time(), pattern: options.expect)
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        do {
            let socket = try DatagramSocket.open(
                to: address,
                port: port,
                leaving: origin,
                on: loop,
                receive: { [weak self] in self?.receive($0, ticket) },
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
            // A search that outlasts the timeout is a fault of the pattern, not a loss of the target.
            let fault = attempt.isAnswered ? attempt.pattern.flatMap(searches.fault) : nil
            report(.ended(attempt.probe, fault.map { .fault($0) } ?? .timeout))
        }
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.socket?.close() }
    }

    /// Handles a datagram. The first one is the answer, whether it matches or not.
    private func receive(_ datagram: ByteBuffer, _ ticket: InFlight<Attempt>.Ticket) {
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
        expectation.receive(datagram.readableBytesView)
        let empty = Failure(.answerMismatch, detail: "empty answer")
        let failure = expectation.hasReceived ? expectation.failure : empty
        guard var search = expectation.nextSearch() else { return }
        search.isComplete = true
        searches.run(search) { [weak self] result in
            switch result {
            case .success(let match): self?.end(ticket, match == .none ? .failure(failure) : reply)
            case .failure(let fault): self?.end(ticket, .fault(fault))
            }
        }
    }

    /// Ends an attempt, unless it has ended. Later events of its socket are ignored.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the attempt.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.socket?.close()
        report(.ended(attempt.probe, outcome))
    }
}
