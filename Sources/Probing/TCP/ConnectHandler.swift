import Monitoring
import NIOCore

/// Times one connection, and holds the conversation that the target's options ask for.
final class ConnectHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let address: IPAddress
    private let send: Payload?
    private var expectation: Expectation?
    private let time: () -> Duration
    /// Runs a search.
    private let run: (Search, @escaping (Result<Bool, Fault>) -> Void) -> Void
    /// Takes the outcome.
    var ended: (Outcome) -> Void = { _ in }
    private var start: Duration?
    private var roundTrip: Duration?
    /// What became of the connection while what was heard on it is still searched.
    private var ending: Outcome?

    init(
        address: IPAddress,
        options: TCPOptions,
        time: @escaping () -> Duration,
        run: @escaping (Search, @escaping (Result<Bool, Fault>) -> Void) -> Void
    ) {
        self.address = address
        send = options.send
        expectation = options.expect.map { Expectation($0) }
        self.time = time
        self.run = run
    }

    /// What it comes to if the peer says nothing more: to an answer that does not match, where it has said anything at all.
    var outcomeOfSilence: Outcome {
        expectation?.failureOfSilence.map { .failure($0) } ?? .timeout
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
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: send.bytes)), promise: nil)
        }
        if expectation == nil { ended(.reply(roundTrip: roundTrip)) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        expectation?.hear(unwrapInboundIn(data).readableBytesView)
        search()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let failure = expectation?.failure { end(.failure(failure)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }

    /// The connection broke.
    func fail(_ error: any Error) {
        end(Outcome(error, to: address))
    }

    private func search() {
        guard let search = expectation?.nextSearch() else { return }
        run(search) { [weak self] in self?.conclude($0) }
    }

    private func conclude(_ result: Result<Bool, Fault>) {
        guard let roundTrip, var expectation else { return }
        switch result {
        case .failure(let fault):
            ended(.fault(fault))
        case .success(let hasFound):
            let matches = expectation.conclude(hasFound)
            self.expectation = expectation
            switch matches {
            case true?: ended(.reply(roundTrip: roundTrip))
            case false?: ended(.failure(expectation.failure))
            case nil:
                search()
                if let ending { end(ending) }
            }
        }
    }

    /// The connection is over; what was heard on it may still be the answer.
    private func end(_ outcome: Outcome) {
        guard expectation?.isSearching == true else { return ended(outcome) }
        ending = ending ?? outcome
    }
}
