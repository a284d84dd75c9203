#if Fetch || TLS
import Monitoring
import NIOCore
import NIOSSL

/// The TLS client of one connection: its handshakes, and the decisions about its peer. Confined to its event loop.
final class TLSClient {
    private let contexts: TLSContexts
    /// The certificate for a server that requests one.
    private let certificate: ClientCertificate?
    private(set) var verification: PeerVerification
    /// The certificate chain of a peer that BoringSSL does not verify.
    private(set) var chain: [NIOSSLCertificate] = []

    init(of identity: PeerIdentity, by files: TLSContexts.Files, contexts: TLSContexts) {
        self.contexts = contexts
        certificate = files.certificate
        verification = PeerVerification(of: identity, by: files.trust)
    }

    /// The failure to report if the second handshake does not complete; nil during the first.
    var refusal: Failure? { verification.refusal }

    /// Adds the handler of the next handshake to a pipeline.
    func addHandler(
        to pipeline: ChannelPipeline.SynchronousOperations,
        position: ChannelPipeline.SynchronousOperations.Position = .last
    ) throws {
        let handler = try contexts.makeHandler(for: verification, presenting: certificate) { [weak self] in
            self?.chain = $0
        }
        try pipeline.addHandler(handler, position: position)
    }

    /// Returns the decision after a completed handshake.
    func completed(in pipeline: ChannelPipeline.SynchronousOperations) -> PeerDecision {
        let leaf = try? pipeline.nioSSL_peerCertificate()
        let chain = verification.context == nil ? chain : [leaf].compactMap { $0 }
        return verification.completed(with: chain, at: contexts.now)
    }

    /// Returns the decision after BoringSSL rejected the peer's certificate; nil for any other error.
    func failed(with error: any Error, in pipeline: ChannelPipeline.SynchronousOperations) -> PeerDecision? {
        guard (error as? NIOSSLError)?.isRefusedCertificate == true else { return nil }
        return verification.refused(try? pipeline.nioSSL_peerCertificate(), at: contexts.now)
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
