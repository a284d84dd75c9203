import NIOCore

/// Delays the first bytes received for the handlers behind it.
final class FirstReadDelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delay: TimeAmount
    /// The bytes received so far; nil once they have been passed on.
    private var pending: [ByteBuffer]? = []

    init(_ delay: TimeAmount) {
        self.delay = delay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let earlier = pending else { return context.fireChannelRead(data) }
        pending = earlier + [unwrapInboundIn(data)]
        guard earlier.isEmpty else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            for bytes in self.pending ?? [] { context.fireChannelRead(self.wrapInboundOut(bytes)) }
            self.pending = nil
            context.fireChannelReadComplete()
        }
    }
}
