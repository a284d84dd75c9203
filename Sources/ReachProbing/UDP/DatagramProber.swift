import NIOCore
import ReachMonitoring

/// A prober that sends UDP datagrams, each from a socket of its own. Confined to its event loop.
final class DatagramProber: AttemptProber {
    final class Attempt: ProbeAttempt {
        let probe: Probe
        let start: Duration
        /// The pattern that the answer must match; nil accepts any answer.
        let pattern: String?
        var socket: DatagramSocket?
        var isAnswered = false

        init(_ probe: Probe, at start: Duration, expecting pattern: String?) {
            self.probe = probe
            self.start = start
            self.pattern = pattern
        }

        var outcomeAtTimeout: Outcome { .timeout }
        var searchedPattern: String? { isAnswered ? pattern : nil }

        func close() {
            socket?.close()
        }
    }

    let environment: ProberEnvironment
    var attempts = InFlight<Attempt>()

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    func send(_ probe: Probe) {
        guard case .udp(_, let port, let options) = probe.question, let address = probe.address else { return }
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return environment.report(.ended(probe, .fault(error)))
        }
        let attempt = Attempt(probe, at: environment.time(), expecting: options.expect)
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        do {
            let socket = try DatagramSocket.open(
                to: address,
                port: port,
                leaving: origin,
                on: environment.loop,
                receive: { [weak self] in self?.receive($0, ticket) },
                fail: { [weak self] in self?.end(ticket, Outcome($0, to: address)) }
            )
            attempt.socket = socket
            try socket.send(options.send?.bytes ?? [])
        } catch {
            end(ticket, Outcome(error, to: address))
        }
    }

    /// Handles a datagram. The first one is the answer, whether it matches or not.
    private func receive(_ datagram: ByteBuffer, _ ticket: InFlight<Attempt>.Ticket) {
        let now = environment.time()
        guard let attempt = attempts[ticket], !attempt.isAnswered else { return }
        attempt.isAnswered = true
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
        environment.searches.run(search) { [weak self] result in
            switch result {
            case .success(let match): self?.end(ticket, match == .none ? .failure(failure) : reply)
            case .failure(let fault): self?.end(ticket, .fault(fault))
            }
        }
    }
}
