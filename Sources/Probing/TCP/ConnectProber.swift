import Monitoring
import NIOCore
import NIOPosix

/// Asks by TCP connections, and by what is said on them. Confined to its event loop.
final class ConnectProber: Prober {
    private struct Attempt {
        var probe: Probe
        let handler: ConnectHandler
        var connector: Connector?
        /// Nil until the connection stands.
        var channel: (any Channel)?

        func close() {
            connector?.cancel()
            channel?.close(promise: nil)
        }
    }

    private let loop: any EventLoop
    private let desk: SearchDesk
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()
    /// Whoever asks where nothing is said; nil where that is done by channels, too.
    private let handshakes: (any Prober)?

    init(
        loop: any EventLoop,
        desk: SearchDesk,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.desk = desk
        self.shortage = shortage
        self.time = time
        self.tell = tell
        #if os(Linux)
            handshakes = HandshakeProber(loop: loop, shortage: shortage, time: time, tell: tell)
        #else
            handshakes = nil
        #endif
    }

    var nextDeadline: Duration? {
        guard let first = handshakes?.nextDeadline else { return attempts.nextDeadline }
        return attempts.nextDeadline.map { min($0, first) } ?? first
    }

    func ask(_ probe: Probe) {
        guard let address = probe.address else { return }
        if let handshakes, probe.question.isTimedByKernel { return handshakes.ask(probe) }
        connect(probe, to: [address])
    }

    func ask(_ probe: Probe, trying addresses: [IPAddress]) {
        if let handshakes, probe.question.isTimedByKernel { return handshakes.ask(probe, trying: addresses) }
        connect(probe, to: addresses)
    }

    private func connect(_ probe: Probe, to addresses: [IPAddress]) {
        guard case .tcp(_, let port, let options) = probe.question else { return }
        let handler = ConnectHandler(options: options) { [desk] search, then in
            desk.run(search, then: then)
        }
        // Read before the attempt is kept: if this process was stopped meanwhile, everything is void.
        let now = time()
        let ticket = attempts.add(Attempt(probe: probe, handler: handler), deadline: probe.deadline)
        handler.ended = { [weak self] in self?.end(ticket, $0) }
        let connector = Connector(
            to: Connector.Destination(addresses, port: port, for: probe),
            on: loop,
            from: now,
            countsReset: handler.isContentWithConnection,
            shortage: shortage,
            time: time,
            report: { [weak self] in self?.take($0, of: ticket) }
        )
        attempts.update(ticket) { $0.connector = connector }
        connector.start()
    }

    private func take(_ event: Connector.Event, of ticket: InFlight<Attempt>.Ticket) {
        switch event {
        case .open(let channel, let address, let roundTrip):
            var found: ConnectHandler?
            attempts.update(ticket) { attempt in
                attempt.channel = channel
                attempt.probe.address = address
                found = attempt.handler
            }
            guard let handler = found else { return channel.close(promise: nil) }
            handler.opened(to: address, in: roundTrip)
            do {
                let watch = WriteWatch { [weak handler] in handler?.fail($0) }
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(watch)
                try pipeline.addHandler(handler)
            } catch {
                end(ticket, Outcome(error, to: address))
            }
        case .reset(let address, let roundTrip):
            attempts.update(ticket) { $0.probe.address = address }
            end(ticket, .reply(roundTrip: roundTrip))
        case .failed(let outcome, let address):
            attempts.update(ticket) { $0.probe.address = address }
            end(ticket, outcome)
        }
    }

    func listen(isPolled: Bool) {
        handshakes?.listen(isPolled: isPolled)
    }

    func expire(at time: Duration) {
        handshakes?.expire(at: time)
        for (_, attempt) in attempts.expire(at: time) {
            attempt.close()
            var (probe, outcome) = (attempt.probe, attempt.handler.outcomeOfSilence)
            if attempt.channel == nil, let connector = attempt.connector {
                (outcome, probe.address) = connector.outcome
            }
            // A pattern that takes so long is at fault, and not the target.
            if let fault = attempt.handler.searchedPattern.flatMap(desk.fault) { outcome = .fault(fault) }
            tell(.ended(probe, outcome))
        }
    }

    func void(at time: Duration) {
        handshakes?.void(at: time)
        for attempt in attempts.removeAll() { attempt.close() }
    }

    func keep(for questions: [Question]) {
        handshakes?.keep(for: questions)
    }

    /// Ends an attempt, unless it has ended; whatever its channel says from then on is nobody's.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.close()
        tell(.ended(attempt.probe, outcome))
    }
}
