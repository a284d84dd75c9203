import Monitoring
import NIOCore
import NIOPosix

/// Asks by TCP connections, and by what is said on them. Confined to its event loop.
final class ConnectProber: Prober {
    private struct Attempt {
        let probe: Probe
        let handler: ConnectHandler
        var channel: (any Channel)?
    }

    private let loop: any EventLoop
    private let desk: SearchDesk
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()
    /// Whoever asks where nothing is said; nil where that is done by channels, too.
    private let handshakes: (any Prober)?

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
        #if os(Linux)
            handshakes = HandshakeProber(loop: loop, time: time, tell: tell)
        #else
            handshakes = nil
        #endif
    }

    var nextDeadline: Duration? {
        guard let first = handshakes?.nextDeadline else { return attempts.nextDeadline }
        return attempts.nextDeadline.map { min($0, first) } ?? first
    }

    func ask(_ probe: Probe) {
        guard case .tcp(_, let port, let options) = probe.question, let address = probe.address else { return }
        if let handshakes, probe.question.isTimedByKernel { return handshakes.ask(probe) }
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        let handler = ConnectHandler(address: address, options: options, time: time) { [desk] search, then in
            desk.run(search, for: probe.target, then: then)
        }
        let ticket = attempts.add(Attempt(probe: probe, handler: handler), deadline: probe.deadline)
        handler.ended = { [weak self] in self?.end(ticket, $0) }
        let bound = NIOLoopBound((prober: self, handler: handler), eventLoop: loop)
        let watch = NIOLoopBound(WriteWatch { [weak handler] in handler?.fail($0) }, eventLoop: loop)
        ClientBootstrap(group: loop)
            .leaving(from: origin, toward: address)
            // The deadlines here are the schedule's own, which know when the process was stopped.
            .connectTimeout(.nanoseconds(probe.timeout.nanoseconds) + .seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bound.value.prober.attempts.update(ticket) { $0.channel = channel }
                    try channel.pipeline.syncOperations.addHandlers([watch.value, bound.value.handler])
                }
            }
            .connect(to: address.socketAddress(port: port))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.end(ticket, Outcome($0, to: address)) }
    }

    func listen(isPolled: Bool) {
        handshakes?.listen(isPolled: isPolled)
    }

    func expire(at time: Duration) {
        handshakes?.expire(at: time)
        for (_, attempt) in attempts.expire(at: time) {
            attempt.channel?.close(promise: nil)
            tell(.ended(attempt.probe, attempt.handler.outcomeOfSilence))
        }
    }

    func void(at time: Duration) {
        handshakes?.void(at: time)
        for attempt in attempts.removeAll() { attempt.channel?.close(promise: nil) }
    }

    func keep(for questions: [Question]) {
        handshakes?.keep(for: questions)
    }

    /// Ends an attempt, unless it has ended; whatever its channel says from then on is nobody's.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.channel?.close(promise: nil)
        tell(.ended(attempt.probe, outcome))
    }
}
