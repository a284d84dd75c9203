import Monitoring
import NIOSSL

/// Decides whether a peer's certificate is accepted.
///
/// BoringSSL verifies the chain during the handshake, and reports no reason when it refuses. Where the peer's own
/// certificate does not show the reason, a second handshake completes without verification: it shows the chain.
struct PeerVerification {
    /// What certificates are verified against.
    enum Trust: Sendable {
        /// Nothing: every certificate is accepted.
        case anything
        case anchors(TrustAnchors)
        /// There are no authorities to verify by.
        case unavailable(Fault)
    }

    /// What follows a handshake.
    enum Decision {
        /// The peer is accepted. Its certificate expires at this time, in seconds since 1970.
        case accept(expiry: Int64?)
        case reject(Outcome)
        /// Connect again, and complete the handshake without verification.
        case inspect
    }

    let identity: PeerIdentity
    private let trust: Trust
    /// The failure to report if the second handshake does not complete; nil during the first.
    private(set) var refusal: Failure?

    init(of identity: PeerIdentity, by trust: Trust) {
        self.identity = identity
        self.trust = trust
    }

    /// The context of a handshake that verifies the chain; nil if the next one completes without.
    var context: NIOSSLContext? {
        guard case .anchors(let anchors) = trust, refusal == nil else { return nil }
        return anchors.context
    }

    /// Whether every certificate is accepted.
    var acceptsAnything: Bool {
        if case .anything = trust { true } else { false }
    }

    /// Decides after a completed handshake.
    ///
    /// - Parameter chain: the peer's certificate, and those that it sent along if the handshake did not verify them.
    func completed(with chain: [NIOSSLCertificate], at now: Int64) -> Decision {
        switch (trust, PeerCertificate(chain)) {
        case (.anything, let peer):
            return .accept(expiry: peer?.life.end)
        case (_, nil):
            return .reject(.failure(Failure(.tlsFailed, detail: "the certificate is malformed")))
        case (.unavailable(let fault), _):
            return .reject(.fault(fault))
        case (.anchors(let anchors), let peer?):
            if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
            if context != nil || anchors.contains(chain[0]) { return .accept(expiry: peer.life.end) }
            return .reject(.failure(peer.trustFailure(by: anchors, at: now)))
        }
    }

    /// Decides after a handshake that BoringSSL ended because it does not trust the peer.
    mutating func refused(_ certificate: NIOSSLCertificate?, at now: Int64) -> Decision {
        refusal = Failure(.certificateUntrusted, detail: "signed by an unknown authority")
        guard let certificate, let peer = PeerCertificate([certificate]), case .anchors(let anchors) = trust else {
            return .inspect
        }
        if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
        // A file of authorities may name a server's own certificate, which BoringSSL does not take for an authority.
        if peer.isSelfIssued, !anchors.contains(certificate) {
            return .reject(.failure(peer.trustFailure(by: anchors, at: now)))
        }
        return .inspect
    }
}
