#if Fetch || TLS
import Monitoring

/// The rules by which a peer's certificates are accepted.
struct PeerVerification {
    /// The trust that certificates are verified against.
    enum Trust: Sendable {
        /// Every certificate is accepted.
        case anything
        case anchors(TrustAnchors)
        /// The trusted authorities cannot be read.
        case unavailable(Fault)
    }

    let identity: PeerIdentity
    let trust: Trust

    /// Whether every certificate is accepted.
    var acceptsAnything: Bool {
        if case .anything = trust { true } else { false }
    }

    /// Returns the decision about a peer that sent these certificates in DER, its own first.
    func decision(on chain: [[UInt8]], at now: Int64) -> PeerDecision {
        switch (trust, PeerCertificate(der: chain)) {
        case (.anything, let peer):
            return .accept(expiry: peer?.validity.end)
        case (_, nil):
            return .reject(.failure(.malformedCertificate))
        case (.unavailable(let fault), _):
            return .reject(.fault(fault))
        case (.anchors(let anchors), let peer?):
            if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
            do {
                return .accept(expiry: try peer.expiry(by: anchors, at: now))
            } catch {
                return .reject(.failure(error))
            }
        }
    }
}

extension Failure {
    static let malformedCertificate = Failure(.tlsFailed, detail: "the certificate is malformed")
}
#endif
