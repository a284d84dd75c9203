import Monitoring
import NIOCore

/// Holds the conversation that the target's options ask for, on an open connection.
final class ConnectHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let send: Payload?
    private var expectation: Expectation?
    /// Runs a search.
    private let run: (Search, @escaping (Result<Search.Match, Fault>) -> Void) -> Void
    /// Takes the outcome.
    var ended: (Outcome) -> Void = { _ in }
    private var address: IPAddress?
    private var roundTrip: Duration?
    /// What became of the connection while what was heard on it is still searched.
    private var ending: Outcome?

    init(
        options: TCPOptions,
        run: @escaping (Search, @escaping (Result<Search.Match, Fault>) -> Void) -> Void
    ) {
        send = options.send
        expectation = options.expect.map { Expectation($0) }
        self.run = run
    }

    /// What it comes to if the peer says nothing more: to an answer, where it has said anything at all.
    var outcomeOfSilence: Outcome {
        if let roundTrip, expectation?.matchesAtEnd == true { return .reply(roundTrip: roundTrip) }
        return expectation?.failureOfSilence.map { .failure($0) } ?? .timeout
    }

    /// The pattern that is searched for right now.
    var searchedPattern: String? {
        expectation.flatMap { $0.isSearching ? $0.pattern : nil }
    }

    /// Whether a connection is an answer, whatever the peer does with it.
    var isContentWithConnection: Bool { expectation == nil }

    /// The connection stands.
    ///
    /// - Parameter roundTrip: how long the peer took to accept it.
    func opened(to address: IPAddress, in roundTrip: Duration) {
        self.address = address
        self.roundTrip = roundTrip
    }

    func channelActive(context: ChannelHandlerContext) {
        if let send {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: send.bytes)), promise: nil)
        }
        if expectation == nil, let roundTrip { ended(.reply(roundTrip: roundTrip)) }
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
        guard let address else { return }
        end(Outcome(error, to: address))
    }

    private func search() {
        guard let search = expectation?.nextSearch() else { return }
        run(search) { [weak self] in self?.conclude($0) }
    }

    private func conclude(_ result: Result<Search.Match, Fault>) {
        guard let roundTrip, var expectation else { return }
        switch result {
        case .failure(let fault):
            ended(.fault(fault))
        case .success(let match):
            let matches = expectation.conclude(match)
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
        guard expectation?.isSearching == true else {
            guard let roundTrip, expectation?.matchesAtEnd == true else { return ended(outcome) }
            return ended(.reply(roundTrip: roundTrip))
        }
        ending = ending ?? outcome
    }
}
