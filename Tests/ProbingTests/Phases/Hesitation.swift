import NIOCore

/// Keeps a peer's first words for a while before it lets the handlers behind it hear them.
final class Hesitation: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let time: TimeAmount
    /// What has been heard so far; nil once it was passed on.
    private var heard: [ByteBuffer]? = []

    init(_ time: TimeAmount) {
        self.time = time
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let earlier = heard else { return context.fireChannelRead(data) }
        heard = earlier + [unwrapInboundIn(data)]
        guard earlier.isEmpty else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            for words in self.heard ?? [] { context.fireChannelRead(self.wrapInboundOut(words)) }
            self.heard = nil
            context.fireChannelReadComplete()
        }
    }
}
