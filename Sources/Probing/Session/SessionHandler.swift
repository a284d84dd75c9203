import NIOCore

/// A channel handler that reports the events of one session. The receiver ignores every end after the first.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// An event of the connection.
    enum Event {
        /// The connection is open. The TCP handshake took this long.
        case connected(in: Duration)
        /// The peer sent data.
        case received(ByteBuffer)
        /// The peer closed the connection.
        case closed
        /// The connection failed.
        case failed(any Error)
    }

    private let roundTrip: Duration
    private let report: (Event) -> Void

    init(roundTrip: Duration, report: @escaping (Event) -> Void) {
        self.roundTrip = roundTrip
        self.report = report
    }

    func channelActive(context: ChannelHandlerContext) {
        report(.connected(in: roundTrip))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        report(.received(unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) {
        report(.closed)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        report(.failed(error))
    }
}
