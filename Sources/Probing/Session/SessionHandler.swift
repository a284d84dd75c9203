import NIOCore

/// Tells what happens to one held connection. Only its first end counts; the listener knows.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

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

    private let roundTrip: Duration
    private let tell: (News) -> Void

    init(roundTrip: Duration, tell: @escaping (News) -> Void) {
        self.roundTrip = roundTrip
        self.tell = tell
    }

    func channelActive(context: ChannelHandlerContext) {
        tell(.connected(in: roundTrip))
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
