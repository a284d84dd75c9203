import Monitoring
import NIOCore
import NIOPosix

/// A prober that opens TCP connections, and exchanges a payload and an answer. Confined to its event loop.
final class ConnectProber: Prober {
    private struct Attempt {
        var probe: Probe
        let handler: ConnectHandler
        var connector: Connector?
        /// Nil until the connection is open.
        var channel: (any Channel)?

        func close() {
            connector?.cancel()
            channel?.close(promise: nil)
        }
    }

    private let loop: any EventLoop
    private let searches: PatternSearcher
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var attempts = InFlight<Attempt>()
    /// The prober for connections without data; nil on systems where channels do that, too.
    private let handshakes: (any Prober)?

    init(
        loop: any EventLoop,
        searches: PatternSearcher,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.loop = loop
        self.searches = searches
        self.shortage = shortage
        self.time = time
        self.report = report
        #if os(Linux)
        handshakes = HandshakeProber(loop: loop, shortage: shortage, time: time, report: report)
        #else
        handshakes = nil
        #endif
    }

    var nextDeadline: Duration? {
        guard let first = handshakes?.nextDeadline else { return attempts.nextDeadline }
        return attempts.nextDeadline.map { min($0, first) } ?? first
    }

    func send(_ probe: Probe) {
        guard let address = probe.address else { return }
        if let handshakes, probe.question.isTimedByKernel { return handshakes.send(probe) }
        connect(probe, to: [address])
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        if let handshakes, probe.question.isTimedByKernel { return handshakes.send(probe, trying: addresses) }
        connect(probe, to: addresses)
    }

    private func connect(_ probe: Probe, to addresses: [IPAddress]) {
        guard case .tcp(_, let port, let options) = probe.question else { return }
        let handler = ConnectHandler(options: options, time: time) { [searches] search, completion in
            searches.run(search, completion: completion)
        }
        // The clock is read before the attempt is added: if this process was stopped meanwhile, reading it voids all
        // attempts.
        let now = time()
        let ticket = attempts.add(Attempt(probe: probe, handler: handler), deadline: probe.deadline)
        handler.ended = { [weak self] in self?.end(ticket, $0) }
        let connector = Connector(
            to: Connector.Destination(addresses, port: port, for: probe),
            on: loop,
            from: now,
            countsReset: handler.acceptsConnectionAlone,
            shortage: shortage,
            time: time,
            report: { [weak self] in self?.handle($0, of: ticket) }
        )
        attempts.update(ticket) { $0.connector = connector }
        connector.start()
    }

    private func handle(_ event: Connector.Event, of ticket: InFlight<Attempt>.Ticket) {
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
                let watch = WriteErrorHandler { [weak handler] in handler?.fail($0) }
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
            var (probe, outcome) = (attempt.probe, attempt.handler.outcomeAtTimeout)
            if attempt.channel == nil, let connector = attempt.connector {
                (outcome, probe.address) = connector.outcome
            }
            // A search that outlasts the timeout is a fault of the pattern, not a loss of the target.
            if let fault = attempt.handler.searchedPattern.flatMap(searches.fault) { outcome = .fault(fault) }
            report(.ended(probe, outcome))
        }
    }

    func void(at time: Duration) {
        handshakes?.void(at: time)
        for attempt in attempts.removeAll() { attempt.close() }
    }

    func closeUnneeded(for questions: [Question]) {
        handshakes?.closeUnneeded(for: questions)
    }

    /// Ends an attempt, unless it has ended. Later events of its channel are ignored.
    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the attempt.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        attempt.close()
        report(.ended(attempt.probe, outcome))
    }
}
