import NIOCore
import NIOHTTP1

/// Sends the path `/http://host/path` as what it means to a proxy: the client itself has no word for it.
final class AbsoluteForm: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.uri.removeFirst()
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
