import NIOCore

/// Hands on what a connected UDP socket reads.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let hear: (ByteBuffer) -> Void
    private let fail: (any Error) -> Void
    private let ended: () -> Void

    init(hear: @escaping (ByteBuffer) -> Void, fail: @escaping (any Error) -> Void, ended: @escaping () -> Void) {
        self.hear = hear
        self.fail = fail
        self.ended = ended
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hear(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }
}
