#if TLS

package import NIOCore
import NIOPosix
import NIOSSL
package import ReachMonitoring

/// The reason why a server's certificates are rejected, for a client whose TLS library reports only that they are.
package enum PeerInspection {
    /// Connects to a server, receives its certificates, and closes the connection in the handshake.
    ///
    /// - Parameters:
    ///   - host: the name or address that the certificate must be valid for.
    ///   - authorities: the trusted authorities.
    ///   - group: event loops with POSIX sockets.
    /// - Returns: The failure of a probe; nil if a probe accepts the certificates, or there is no answer.
    package static func failure(
        of host: String,
        port: UInt16,
        trusting authorities: AuthorityFiles,
        on group: any EventLoopGroup
    ) async -> Failure? {
        guard let context = try? TLSContexts.makeContext(), let anchors = try? await readAnchors(in: authorities) else {
            return nil
        }
        let verification = PeerVerification(identity: PeerIdentity(host), trust: .anchors(anchors))
        let (failures, failure) = AsyncStream<Failure?>.makeStream(bufferingPolicy: .bufferingOldest(1))
        let connecting = ClientBootstrap(group: group)
            .connectTimeout(connectTimeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(
                        context: context,
                        serverHostname: verification.identity.requestedName,
                        customVerificationCallback: { chain, promise in
                            let chain = chain.map { (try? $0.toDERBytes()) ?? [] }
                            failure.yield(verification.failure(of: chain))
                            promise.succeed(.failed)
                        }
                    )
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: host, port: Int(port))
        connecting.flatMap(\.closeFuture).whenComplete { _ in failure.finish() }
        defer { connecting.whenSuccess { $0.close(promise: nil) } }
        // The task's cancellation ends the sequence, also while the connection is being opened.
        for await reason in failures { return reason }
        return nil
    }

    /// The server has accepted a connection just before.
    private static let connectTimeout = TimeAmount.seconds(5)

    private static func readAnchors(in files: AuthorityFiles) async throws -> TrustAnchors {
        try await NIOThreadPool.singleton.runIfActive { try TrustAnchors(reading: files) }
    }
}

extension PeerVerification {
    /// Returns why these certificates are rejected now; nil if they are accepted.
    fileprivate func failure(of chain: [[UInt8]]) -> Failure? {
        let decision = self.decision(on: chain, at: TLSContexts.systemTime())
        return if case .reject(.failure(let failure)) = decision { failure } else { nil }
    }
}

extension TLSOptions {
    /// Reads the client certificate and its key, and checks that they match and are valid now. Blocks while reading.
    ///
    /// - Throws: The fault of a probe with these options.
    package func validateClientCertificate() throws(Fault) {
        if let files = ClientCertificateFiles(self) { _ = try ClientCertificate(reading: files) }
    }
}

#endif
