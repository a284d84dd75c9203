#if Fetch || TLS
import Monitoring
import NIOCore
import NIOSSL

/// The TLS client of one connection: its handshake, and the decision about its peer. Confined to its event loop.
final class TLSClient {
    private let contexts: TLSContexts
    /// The certificate for a server that requests one.
    private let certificate: ClientCertificate?
    private let protocols: [String]
    let verification: PeerVerification
    /// The certificates that the peer sent, in DER, its own first.
    private(set) var chain: [[UInt8]] = []
    /// The decision about the peer; nil before it has sent its certificates.
    private var decision: PeerDecision?

    /// - Parameter protocols: the protocols to offer (ALPN, RFC 7301).
    init(
        of identity: PeerIdentity,
        by files: TLSContexts.Files,
        offering protocols: [String] = [],
        contexts: TLSContexts
    ) {
        self.contexts = contexts
        self.protocols = protocols
        certificate = files.certificate
        verification = PeerVerification(identity: identity, trust: files.trust)
    }

    /// Adds the handler of the handshake to a pipeline.
    func addHandler(
        to pipeline: ChannelPipeline.SynchronousOperations,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws {
        let handler = try contexts.makeHandler(for: verification, presenting: certificate, offering: protocols) {
            [weak self] in self?.accepts($0) ?? false
        }
        try pipeline.addHandler(handler, position: position)
    }

    private func accepts(_ chain: [[UInt8]]) -> Bool {
        self.chain = chain
        let decision = verification.decision(on: chain, at: contexts.now)
        self.decision = decision
        return if case .accept = decision { true } else { false }
    }

    /// The decision after a completed handshake.
    var decisionOnCompletion: PeerDecision { decision ?? .reject(.failure(.malformedCertificate)) }

    /// The outcome if the handshake failed because the peer was rejected; nil for any other error.
    var rejection: Outcome? {
        if case .reject(let outcome) = decision { outcome } else { nil }
    }

    /// Returns whether a peer closed without TLS's closure alert.
    static func isUncleanClosure(_ error: any Error) -> Bool {
        if case NIOSSLError.uncleanShutdown = error { true } else { false }
    }

    /// Closes a channel at once, with or without TLS, and does not wait for the peer's closure alert.
    static func drop(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}
#endif
