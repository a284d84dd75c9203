import NIOCore
import NIOPosix
import NIOSSL

/// A web server on loopback with TLS, which answers every request with `fine`.
struct SecureServer {
    private let channel: any Channel

    /// - Parameter requiresCertificate: whether clients need a certificate of the test authority.
    init(requiresCertificate: Bool) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.serverChain.utf8))
                .map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(TestCertificates.serverKey.utf8), format: .pem))
        )
        if requiresCertificate {
            let authority = try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.authority.utf8))
            configuration.trustRoots = .certificates(authority)
            configuration.certificateVerification = .noHostnameVerification
        }
        let context = try NIOSSLContext(configuration: configuration)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: context), Responder())
                }
            }
            .bind(host: "0.0.0.0", port: 0)
            .get()
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    var url: String { "https://127.0.0.1:\(port)/" }

    func stop() async throws {
        try await channel.close()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
