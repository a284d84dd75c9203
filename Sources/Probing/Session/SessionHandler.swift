import NIOCore

/// Tells what happens to one held connection. Only its first end counts; the listener knows.
final class SessionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What happened.
    enum News {
        /// The connection stands, this long after the first packet.
        case connected(in: Duration)
        /// The peer said something.
        case heard(ByteBuffer)
        /// The peer closed the connection in order.
        case closed
        /// The connection broke.
        case broke(any Error)
    }

    private let time: () -> Duration
    private let tell: (News) -> Void
    private var start: Duration?

    init(time: @escaping () -> Duration, tell: @escaping (News) -> Void) {
        self.time = time
        self.tell = tell
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        start = time()
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        let now = time()
        tell(.connected(in: now - (start ?? now)))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tell(.heard(unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell(.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tell(.broke(error))
    }
}
