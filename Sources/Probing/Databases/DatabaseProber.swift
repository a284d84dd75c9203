import Monitoring
import NIOCore
import ReachBasics

/// A prober that connects to database servers and begins a login, each on a new connection. Confined to its event loop.
final class DatabaseProber: Prober {
    private struct Attempt {
        var probe: Probe
        var connection: Connection?
    }

    private typealias Ticket = InFlight<Attempt>.Ticket

    private let gate: LoopGate
    private let contexts: TLSContexts
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        gate: LoopGate,
        contexts: TLSContexts,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.gate = gate
        self.contexts = contexts
        self.shortage = shortage
        self.time = time
        self.report = report
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func send(_ probe: Probe) {
        guard let address = probe.address else { return }
        send(probe, trying: [address])
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .database(let question) = probe.question else { return }
        let stopwatch = Stopwatch(at: probe.made)
        if IPAddress(literal: question.host) == nil { stopwatch.end(.resolve, at: time()) }
        var options = question.tls
        // A server of PostgreSQL begins TLS on request.
        options.starttls = question.wireProtocol == .postgres ? .postgres : nil
        let ticket = attempts.add(Attempt(probe: probe), deadline: probe.deadline)
        let connection = Connection(
            Connection.Configuration(
                destination: Connector.Destination(addresses, port: question.port, for: probe),
                identity: question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil,
                options: options
            ),
            contexts: contexts,
            stopwatch: stopwatch,
            shortage: shortage,
            time: time
        )
        attempts.update(ticket) { $0.connection = connection }
        connection.dial(on: gate.loop) { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .open(let channel):
                begin(question, on: channel, of: connection, stopwatch, ticket)
            case .over(let outcome):
                end(ticket, outcome)
            }
        }
    }

    private func begin(
        _ question: DatabaseQuestion,
        on channel: any Channel,
        of connection: Connection,
        _ stopwatch: Stopwatch,
        _ ticket: Ticket
    ) {
        let exchange = DatabaseExchange(
            question.conversation(nonce: Self.nonce()),
            gate: gate,
            stopwatch: stopwatch,
            time: time
        ) { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .accepted(let detail):
                let expiry = connection.certificateExpiry
                var reply = Reply(expiry: expiry, at: contexts.now, question.tls, stopwatch)
                if let detail { reply.detail = detail }
                // The end of the probe comes first: a connection in clear reports its closure at once.
                end(ticket, .reply(reply), drops: false)
                connection.close()
            case .failed(let failure):
                end(ticket, .failure(failure))
            case .refused(let fault):
                end(ticket, .fault(fault))
            }
        }
        do {
            try channel.pipeline.syncOperations.addHandler(exchange)
        } catch {
            end(ticket, .failure(Failure(.closed)))
        }
    }

    /// A random text for a login.
    private static func nonce() -> String {
        (0..<18).map { _ in UInt8.random(in: .min ... .max) }.base64
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            var probe = attempt.probe
            let outcome = attempt.connection?.outcomeAtTimeout ?? .timeout
            if let address = attempt.connection?.address { probe.address = address }
            attempt.connection?.drop()
            report(.ended(probe, outcome))
        }
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.connection?.drop() }
    }

    private func end(_ ticket: Ticket, _ outcome: Outcome, drops: Bool = true) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the attempt.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        var probe = attempt.probe
        if let address = attempt.connection?.address { probe.address = address }
        if drops { attempt.connection?.drop() }
        report(.ended(probe, outcome))
    }
}
