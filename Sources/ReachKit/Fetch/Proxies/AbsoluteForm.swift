import NIOCore
import NIOHTTP1

/// Turns the path `/http://host/path` into the absolute form that a proxy needs; the client itself cannot send that.
final class AbsoluteForm: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        head.uri.removeFirst()
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }
}
