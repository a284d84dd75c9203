import NIOCore
import ReachMonitoring

/// A prober that performs TLS handshakes. Confined to its event loop.
final class TLSProber: AttemptProber, RacingProber {
    let environment: ProberEnvironment
    var attempts = InFlight<ConnectionAttempt>()

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .tls(let host, let port, let options) = probe.question else { return }
        let stopwatch = Stopwatch(of: probe, to: host, at: environment.time())
        let connection = Connection(
            Connection.Configuration(
                destination: Connector.Destination(addresses, port: port, for: probe),
                identity: PeerIdentity(options.serverName ?? host),
                options: options
            ),
            stopwatch: stopwatch,
            in: environment
        )
        let ticket = attempts.add(ConnectionAttempt(probe, over: connection), deadline: probe.deadline)
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, let attempt = attempts[ticket] else { return }
            switch event {
            case .open:
                // The handshake is the whole probe.
                let reply = Reply(connection.certificate, at: environment.contexts.now, options, stopwatch)
                attempt.reply = reply
                connection.close()
                // With TLS 1.3, the server checks a client certificate only after the handshake is complete on this side.
                // Its alert, or its part of the closure, follows.
                guard options.certificate == nil else { return }
                attempt.releaseConnection()
                end(ticket, .reply(reply))
            case .over(let outcome):
                end(ticket, attempt.outcome(after: outcome))
            }
        }
    }
}

/// A probe with one connection. Confined to its event loop.
final class ConnectionAttempt: ProbeAttempt {
    private(set) var probe: Probe
    private var connection: Connection?
    /// The reply, once the handshake is complete. The server may still refuse the client certificate.
    var reply: Reply?

    init(_ probe: Probe, over connection: Connection) {
        self.probe = probe
        self.connection = connection
    }

    var outcomeAtTimeout: Outcome { outcome(after: connection?.outcomeAtTimeout ?? .timeout) }

    /// The outcome after the connection ended with this one.
    func outcome(after end: Outcome) -> Outcome {
        guard let reply else { return end }
        if case .failure(let failure) = end, failure.reason == .tlsFailed { return end }
        return .reply(reply)
    }

    func close() {
        releaseConnection()?.drop()
    }

    /// Returns the connection, which continues after the end of the probe.
    @discardableResult
    func releaseConnection() -> Connection? {
        defer { connection = nil }
        if let address = connection?.address { probe.address = address }
        return connection
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
    /// Accept the peer with its certificate; nil if that is malformed, and is not verified.
    case accept(AcceptedCertificate?)
    case reject(Outcome)
}

/// What a probe reports about the certificate of a peer.
struct AcceptedCertificate: Sendable, Hashable {
    /// When its chain expires, or the certificate itself if it is not verified, in seconds since 1970.
    let expiry: Int64
    let identity: CertificateIdentity
}

extension Fault {
    /// The fault of a target that needs TLS, in a build without it.
    static let noTLS = Fault(
        .internal,
        detail: "TLS is not part of this build – add the trait \"TLS\" or \"Fetch\" to the dependency on reach"
    )
}
