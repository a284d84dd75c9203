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
    /// Takes the outcome.
    var ended: (Outcome) -> Void = { _ in }
    private var start: Duration?
    private var roundTrip: Duration?

    init(
        address: IPAddress,
        send: String?,
        expectation: Expectation?,
        time: @escaping () -> Duration
    ) {
        self.address = address
        self.send = send
        self.expectation = expectation
        self.time = time
    }

    /// What it comes to if the peer says nothing more: to an answer that does not match, where it has said anything at all.
    /// Servers greet and wait.
    var outcomeOfSilence: Outcome {
        guard let expectation, expectation.hasHeard else { return .timeout }
        return .failure(expectation.failure)
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
