#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// The connection ended after a request was sent, and before the first byte of the response.
struct UnansweredRequest: Error {
    /// Whether the connection had served another request before.
    let isReused: Bool
}

/// Reports ``UnansweredRequest`` for a connection that ends between a request and the first byte of its response.
///
/// A server closes an idle connection at any time, also while the next request is on its way (RFC 9112 §9.3.1). The
/// client's own errors do not tell a new connection from one that was kept.
final class UnansweredRequestHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart

    private var requestCount = 0
    private var isAwaitingResponse = false

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterEncoder { UnansweredRequestHandler() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            requestCount += 1
            isAwaitingResponse = true
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAwaitingResponse = false
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isAwaitingResponse, requestCount > 1 else { return context.fireErrorCaught(error) }
        reportUnanswered(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isAwaitingResponse { reportUnanswered(context) }
        context.fireChannelInactive()
    }

    private func reportUnanswered(_ context: ChannelHandlerContext) {
        isAwaitingResponse = false
        context.fireErrorCaught(UnansweredRequest(isReused: requestCount > 1))
    }
}
#endif
