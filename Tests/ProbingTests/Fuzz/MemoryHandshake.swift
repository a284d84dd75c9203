import Monitoring
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS

@testable import Probing

/// A verification of a server by handshakes in memory, like that of ``Connection`` over sockets.
struct MemoryHandshake {
    private let server: NIOSSLContext
    private let contexts = TLSContexts(gate: LoopGate(EmbeddedEventLoop()), wallTime: { 0 })

    /// Creates a server; nil if the certificate is malformed or does not match the key.
    init?(chain: [[UInt8]], key: [UInt8]) {
        guard let key = try? NIOSSLPrivateKey(bytes: key, format: .der),
            let chain = try? chain.map({ try NIOSSLCertificate(bytes: $0, format: .der) }),
            let server = try? NIOSSLContext(
                configuration: TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(key)
                )
            )
        else { return nil }
        self.server = server
    }

    /// Returns the decision in a handshake.
    func decision(
        for identity: PeerIdentity,
        by anchors: TrustAnchors,
        at now: Int64
    ) throws -> PeerDecision {
        let verification = PeerVerification(identity: identity, trust: .anchors(anchors))
        var decision: PeerDecision?
        let handler = try contexts.makeHandler(for: verification, presenting: nil) { chain in
            let last = verification.decision(on: chain, at: now)
            decision = last
            return if case .accept = last { true } else { false }
        }
        let error = try handshake(handler)
        if let decision { return decision }
        return .reject(
            error.map { Outcome(tls: $0, to: IPAddress(ipv4: 0x7F00_0001)) } ?? .failure(.malformedCertificate)
        )
    }

    /// Makes a handshake. Returns its error; nil if it succeeded.
    private func handshake(_ handler: NIOSSLClientHandler) throws -> (any Error)? {
        let end = HandshakeEnd()
        let client = EmbeddedChannel(handlers: [handler, end])
        let peer = EmbeddedChannel(handler: NIOSSLServerHandler(context: server))
        defer {
            // Each channel would wait for the other's closure alert.
            for channel in [client, peer] {
                channel.close(promise: nil)
                channel.embeddedEventLoop.advanceTime(by: .minutes(1))
            }
        }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        peer.connect(to: address, promise: nil)
        client.connect(to: address, promise: nil)
        for _ in 0..<20 where end.result == nil {
            while let bytes = try client.readOutbound(as: ByteBuffer.self) { _ = try? peer.writeInbound(bytes) }
            while let bytes = try peer.readOutbound(as: ByteBuffer.self) { _ = try? client.writeInbound(bytes) }
            client.embeddedEventLoop.run()
        }
        guard let result = end.result else { throw FuzzFailure(description: "the handshake does not end") }
        if case .failure(let error) = result { return error }
        return nil
    }
}

/// A handler that stores the result of a handshake.
private final class HandshakeEnd: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var result: Result<Void, any Error>?

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { result = result ?? .success(()) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        result = result ?? .failure(error)
    }
}
