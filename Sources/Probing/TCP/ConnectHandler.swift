import Monitoring
import NIOCore

/// Times one connection, and holds the conversation that the target's options ask for.
final class ConnectHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let address: IPAddress
    private let send: String?
    private var expectation: Expectation?
    private let time: () -> Duration
    private let ended: (Outcome) -> Void
    private var start: Duration?
    private var roundTrip: Duration?

    init(
        address: IPAddress,
        send: String?,
        expectation: Expectation?,
        time: @escaping () -> Duration,
        ended: @escaping (Outcome) -> Void
    ) {
        self.address = address
        self.send = send
        self.expectation = expectation
        self.time = time
        self.ended = ended
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        start = time()
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        let now = time()
        let roundTrip = now - (start ?? now)
        self.roundTrip = roundTrip
        if let send {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: send)), promise: nil)
        }
        if expectation == nil { ended(.reply(roundTrip: roundTrip)) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let roundTrip, let matches = expectation?.hear(unwrapInboundIn(data).readableBytesView) else { return }
        if matches {
            ended(.reply(roundTrip: roundTrip))
        } else if let failure = expectation?.failure {
            ended(.failure(failure))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let failure = expectation?.failure { ended(.failure(failure)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ended(Outcome(error, to: address))
    }
}
