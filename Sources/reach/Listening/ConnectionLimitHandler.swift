import LibC
import NIOCore

/// Accepts the connections of a server channel that a limit admits.
final class ConnectionLimitHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: ConnectionLimit
    private var context: ChannelHandlerContext?

    init(limit: ConnectionLimit) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        let (loop, bound) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
        let resume: @Sendable () -> Void = {
            let handler = bound.value
            if let context = handler.context { handler.read(context: context) }
        }
        if limit.admits(orElse: { loop.inEventLoop ? resume() : loop.execute(resume) }) { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        limit.add(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO pauses accepting after an error. That is right for a lack of descriptors, not for a client that disconnects early.
        guard (error as? IOError)?.errnoCode != ECONNABORTED else { return }
        context.fireErrorCaught(error)
    }
}
