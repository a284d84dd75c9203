import Monitoring
import NIOCore
import NIOSSL

/// Asks by TLS handshakes. Confined to its event loop.
final class TLSProber: Prober {
    private struct Attempt {
        var probe: Probe
        var connection: Connection?
        /// Whether the handshake has succeeded, and only the certificate is still judged.
        var isShaken = false
    }

    private let loop: any EventLoop
    private let desk: TLSDesk
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        loop: any EventLoop,
        desk: TLSDesk,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.desk = desk
        self.shortage = shortage
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func ask(_ probe: Probe) {
        guard let address = probe.address else { return }
        ask(probe, trying: [address])
    }

    func ask(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .tls(let host, let port, let options) = probe.question else { return }
        let identity = PeerIdentity(options.serverName ?? host)
        let stopwatch = Stopwatch(at: probe.made)
        if IPAddress(literal: host) == nil { stopwatch.end(.resolve, at: time()) }
        let ticket = attempts.add(Attempt(probe: probe), deadline: probe.deadline)
        let connection = Connection(
            Connection.Course(
                destination: Connector.Destination(addresses, port: port, for: probe),
                identity: identity,
                options: options
            ),
            desk: desk,
            stopwatch: stopwatch,
            shortage: shortage,
            time: time
        )
        attempts.update(ticket) { $0.connection = connection }
        connection.dial(on: loop) { [weak self, weak connection] word in
            switch word {
            case .open:
                guard let self, let connection else { return }
                judge(connection.certificates, of: identity, by: options, taking: stopwatch, ticket)
            case .over(let outcome):
                self?.end(ticket, outcome)
            }
        }
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            var probe = attempt.probe
            let outcome = attempt.connection?.outcomeOfSilence ?? .timeout
            if let address = attempt.connection?.address { probe.address = address }
            attempt.connection?.drop()
            tell(.ended(probe, outcome))
        }
    }

    func void(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.connection?.drop() }
    }

    func keep(for questions: [Question]) {
        desk.keep(for: questions)
    }

    /// The handshake is all that is asked of the peer; what it does while its certificate is judged does not matter.
    private func judge(
        _ certificates: [NIOSSLCertificate],
        of identity: PeerIdentity,
        by options: TLSOptions,
        taking stopwatch: Stopwatch,
        _ ticket: InFlight<Attempt>.Ticket
    ) {
        var connection: Connection?
        attempts.update(ticket) { attempt in
            connection = attempt.connection
            if let address = connection?.address { attempt.probe.address = address }
            attempt.connection = nil
            attempt.isShaken = true
        }
        connection?.close()
        desk.judge(certificates, of: identity, by: options) { [weak self] verdict in
            guard let self else { return }
            let outcome: Outcome =
                switch verdict {
                case .good(let expiry): .reply(Reply(expiry: expiry, at: desk.now, options, stopwatch))
                case .bad(let failure): .failure(failure)
                case .unknown(let fault): .fault(fault)
                }
            end(ticket, outcome, isVerdict: true)
        }
    }

    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome, isVerdict: Bool = false) {
        // Read before the attempt is looked for: it is void if this process was stopped meanwhile.
        _ = time()
        if !isVerdict {
            var isShaken = false
            attempts.update(ticket) { isShaken = $0.isShaken }
            if isShaken { return }
        }
        guard let attempt = attempts.remove(ticket) else { return }
        var probe = attempt.probe
        if let address = attempt.connection?.address { probe.address = address }
        attempt.connection?.drop()
        tell(.ended(probe, outcome))
    }
}
