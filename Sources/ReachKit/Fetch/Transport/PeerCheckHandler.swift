#if Fetch
import AsyncHTTPClient
import Monitoring
import NIOCore
import NIOHTTP1
import NIOSSL
import Probing

/// The server's certificate is not that of the request's host, or proves nothing.
struct RejectedPeer: Error {
    let failure: Failure
}

/// Checks the server's certificate by the rules of probes before the first request is sent on a connection. BoringSSL has
/// verified its chain.
///
/// Each request names its host in a header field, which is not sent. All requests of a connection have the same host.
final class PeerCheckHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The name of the header field, which no request has already.
    static let field = "Reach-Peer-\(String(UInt64.random(in: .min ... .max), radix: 36))"

    private var isAccepted = false

    /// Adds a handler to each connection of a client, in place of the TLS library's check of the name. It must be the last
    /// that is added, so that it gets a request first.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.tlsConfiguration?.certificateVerification = .noHostnameVerification
        configuration.addHandlerAfterEncoder { PeerCheckHandler() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else {
            if isAccepted {
                context.write(data, promise: promise)
            } else {
                promise?.fail(ChannelError.ioOnClosedChannel)
            }
            return
        }
        let host = head.headers.first(name: Self.field) ?? ""
        head.headers.remove(name: Self.field)
        if !isAccepted, let failure = Self.failure(of: host, in: context.pipeline.syncOperations) {
            let error = RejectedPeer(failure: failure)
            promise?.fail(error)
            // The client does not expect an error while it writes.
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            return context.eventLoop.execute {
                bound.value.fireErrorCaught(error)
                bound.value.close(promise: nil)
            }
        }
        isAccepted = true
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private static func failure(of host: String, in pipeline: ChannelPipeline.SynchronousOperations) -> Failure? {
        guard let certificate = try? pipeline.nioSSL_peerCertificate() else {
            return Failure(.tlsFailed, detail: "the server has no certificate")
        }
        return certificate.failure(of: host)
    }
}
#endif
