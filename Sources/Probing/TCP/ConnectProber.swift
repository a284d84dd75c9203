import Monitoring
import NIOCore
import NIOPosix

/// Asks by TCP connections. Confined to its event loop.
final class ConnectProber: Prober {
    private struct Attempt {
        let probe: Probe
        let handler: ConnectHandler
        var channel: (any Channel)?
    }

    private let loop: any EventLoop
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()

    init(loop: any EventLoop, time: @escaping () -> Duration, tell: @escaping (Notice) -> Void) {
        self.loop = loop
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func ask(_ probe: Probe) {
        guard case .tcp(_, let port, let options) = probe.question, let address = probe.address else { return }
        let (expectation, origin): (Expectation?, Origin?)
        do {
            origin = try probe.origin()
            expectation = try options.expect.map { pattern throws(Fault) in try Expectation(pattern) }
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        let handler = ConnectHandler(
            address: address,
            send: options.send,
            expectation: expectation,
            time: time
        )
        let ticket = attempts.add(Attempt(probe: probe, handler: handler), deadline: time() + probe.timeout)
        handler.ended = { [weak self] in self?.end(ticket, $0) }
        let bound = NIOLoopBound((prober: self, handler: handler), eventLoop: loop)
        ClientBootstrap(group: loop)
            .leaving(from: origin, toward: address)
            // The deadlines here are the schedule's own, which know when the process was stopped.
            .connectTimeout(.nanoseconds(probe.timeout.nanoseconds) + .seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bound.value.prober.attempts.update(ticket) { $0.channel = channel }
                    try channel.pipeline.syncOperations.addHandler(bound.value.handler)
                }
            }
            .connect(to: address.socketAddress(port: port))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.end(ticket, Outcome($0, to: address)) }
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            attempt.channel?.close(promise: nil)
            tell(.ended(attempt.probe, attempt.handler.outcomeOfSilence))
        }
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.channel?.close(promise: nil) }
    }

    func keep(for questions: [Question]) {}

    /// Ends an attempt, unless it has ended; whatever its channel says from then on is nobody's.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.channel?.close(promise: nil)
        tell(.ended(attempt.probe, outcome))
    }
}
