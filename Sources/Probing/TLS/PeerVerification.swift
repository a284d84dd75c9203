#if Fetch || TLS
import Monitoring
import NIOSSL

/// The decision whether to accept a peer's certificate.
///
/// BoringSSL verifies the chain during the handshake, but reports no reason when it rejects one. If the leaf does not
/// show the reason, a second handshake completes without verification to obtain the whole chain.
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
    private let trust: Trust
    /// The failure to report if the second handshake does not complete; nil during the first.
    private(set) var refusal: Failure?

    init(of identity: PeerIdentity, by trust: Trust) {
        self.identity = identity
        self.trust = trust
    }

    /// The context that verifies the chain; nil if the next handshake completes without verification.
    var context: NIOSSLContext? {
        guard case .anchors(let anchors) = trust, refusal == nil else { return nil }
        return anchors.context
    }

    /// The trusted certificates; nil if every certificate is accepted, or if they cannot be read.
    var anchors: TrustAnchors? {
        if case .anchors(let anchors) = trust { anchors } else { nil }
    }

    /// The authorities of the context.
    var authorities: [NIOSSLCertificate] {
        if case .anchors(let anchors) = trust { anchors.authorities } else { [] }
    }

    /// Whether every certificate is accepted.
    var acceptsAnything: Bool {
        if case .anything = trust { true } else { false }
    }

    /// Returns the decision after a completed handshake.
    ///
    /// - Parameter chain: the leaf, followed by the other certificates sent if the handshake did not verify them.
    func completed(with chain: [NIOSSLCertificate], at now: Int64) -> PeerDecision {
        switch (trust, PeerCertificate(chain)) {
        case (.anything, let peer):
            return .accept(expiry: peer?.validity.end)
        case (_, nil):
            return .reject(.failure(Failure(.tlsFailed, detail: "the certificate is malformed")))
        case (.unavailable(let fault), _):
            return .reject(.fault(fault))
        case (.anchors(let anchors), let peer?):
            if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
            if context != nil || anchors.contains(chain[0]) { return .accept(expiry: peer.validity.end) }
            return .reject(.failure(peer.trustFailure(by: anchors, at: now)))
        }
    }

    /// Returns the decision after BoringSSL rejected the peer's chain.
    mutating func refused(_ certificate: NIOSSLCertificate?, at now: Int64) -> PeerDecision {
        refusal = Failure(.certificateUntrusted, detail: "signed by an unknown authority")
        guard let certificate, let peer = PeerCertificate([certificate]), case .anchors(let anchors) = trust else {
            return .inspect
        }
        if let failure = peer.failure(as: identity, at: now) { return .reject(.failure(failure)) }
        // The CA file may contain the server's own certificate, which BoringSSL does not accept as an authority.
        if peer.isSelfIssued, !anchors.contains(certificate) {
            return .reject(.failure(peer.trustFailure(by: anchors, at: now)))
        }
        return .inspect
    }
}
#endif
