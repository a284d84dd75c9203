import ReachMonitoring
import NIOCore

/// A prober that performs TLS handshakes. Confined to its event loop.
final class TLSProber: MethodProber {
    private struct Attempt {
        var probe: Probe
        var connection: Connection?
        /// The reply, once the handshake is complete. The server may still refuse the client certificate.
        var reply: Reply?

        /// The outcome after the connection ended with this one.
        func outcome(after end: Outcome) -> Outcome {
            guard let reply else { return end }
            if case .failure(let failure) = end, failure.reason == .tlsFailed { return end }
            return .reply(reply)
        }
    }

    private let loop: any EventLoop
    private let contexts: TLSContexts
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let report: (ProberEvent) -> Void
    private var attempts = InFlight<Attempt>()

    init(
        loop: any EventLoop,
        contexts: TLSContexts,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        report: @escaping (ProberEvent) -> Void
    ) {
        self.loop = loop
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
        guard case .tls(let host, let port, let options) = probe.question else { return }
        let identity = PeerIdentity(options.serverName ?? host)
        let stopwatch = Stopwatch(at: probe.made)
        if IPAddress(literal: host) == nil { stopwatch.end(.resolve, at: time()) }
        let ticket = attempts.add(Attempt(probe: probe), deadline: probe.deadline)
        let connection = Connection(
            Connection.Configuration(
                destination: Connector.Destination(addresses, port: port, for: probe),
                identity: identity,
                options: options
            ),
            contexts: contexts,
            stopwatch: stopwatch,
            shortage: shortage,
            time: time
        )
        attempts.update(ticket) { $0.connection = connection }
        connection.dial(on: loop) { [weak self, weak connection] event in
            guard let self, let connection else { return }
            switch event {
            case .open:
                // The handshake is the whole probe.
                let reply = Reply(expiry: connection.certificateExpiry, at: contexts.now, options, stopwatch)
                attempts.update(ticket) { $0.reply = reply }
                connection.close()
                // With TLS 1.3, the server checks a client certificate when the handshake is complete here. Its alert, or
                // its part of the closure, follows.
                if options.certificate == nil { end(ticket, .reply(reply), drops: false) }
            case .over(let outcome):
                end(ticket, attempts[ticket]?.outcome(after: outcome) ?? outcome)
            }
        }
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            var probe = attempt.probe
            let outcome = attempt.outcome(after: attempt.connection?.outcomeAtTimeout ?? .timeout)
            if let address = attempt.connection?.address { probe.address = address }
            attempt.connection?.drop()
            report(.ended(probe, outcome))
        }
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() { attempt.connection?.drop() }
    }

    private func end(_ ticket: InFlight<Attempt>.Ticket, _ outcome: Outcome, drops: Bool = true) {
        // The clock is read before the lookup: if this process was stopped meanwhile, reading it voids the attempt.
        _ = time()
        guard let attempt = attempts.remove(ticket) else { return }
        var probe = attempt.probe
        if let address = attempt.connection?.address { probe.address = address }
        if drops { attempt.connection?.drop() }
        report(.ended(probe, outcome))
    }
}

/// The name or address that a peer's certificate must be for.
enum PeerIdentity: Sendable, Hashable {
    /// A name, which the handshake also sends (RFC 6066 §3).
    case name(String)
    /// An address, which a handshake cannot send.
    case address(IPAddress)

    init(_ text: String) {
        self = IPAddress(literal: text).map(Self.address) ?? .name(text)
    }

    /// The server name to send in the handshake, without a trailing dot; nil for an address.
    var requestedName: String? {
        guard case .name(let name) = self else { return nil }
        return name.last == "." ? String(name.dropLast()) : name
    }
}

/// The decision about a peer, in the handshake.
enum PeerDecision {
    /// Accept the peer. Its chain, or its certificate if it is not verified, expires at this time in seconds since 1970.
    case accept(expiry: Int64?)
    case reject(Outcome)
}

extension Fault {
    /// The fault of a target that needs TLS, in a build without it.
    static let noTLS = Fault(
        .internal,
        detail: "TLS is not part of this build – add the trait \"TLS\" or \"Fetch\" to the dependency on reach"
    )
}
