import Monitoring
import NIOCore
import NIOHTTP1

/// Sends one request on an open connection and reads the response, as far as it is needed: without a pattern for the body, no
/// further than its head.
final class Exchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = HTTPClientRequestPart

    /// What an exchange has to tell.
    enum Word {
        /// An answer, whole or as much of it as matters.
        case answer(HTTPAnswer)
        /// There will be none.
        case over(Outcome)
    }

    private let question: HTTPQuestion
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private let tell: (Word) -> Void
    private var parser: HTTPResponseParser
    private var isOver = false

    init(
        _ question: HTTPQuestion,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        tell: @escaping (Word) -> Void
    ) {
        self.question = question
        self.stopwatch = stopwatch
        self.time = time
        self.tell = tell
        parser = HTTPResponseParser(answering: question.options.method, keepsBody: question.options.body != nil)
    }

    /// Adds itself to the pipeline, with all that speaks HTTP, and asks.
    func begin(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        stopwatch.resume(at: time())
        context.write(wrapOutboundOut(.head(question.requestHead)), promise: nil)
        if let body = question.options.bodySent {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if !parser.hasBegun { stopwatch.end(.processing, at: time()) }
        do {
            try parser.receive(unwrapInboundIn(data))
            finishIfAnswered()
        } catch {
            end(.over(.failure(error)))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOver {
            do {
                try parser.end()
                finishIfAnswered()
            } catch {
                end(.over(.failure(error)))
            }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The connection takes care of its own errors; what is left is a request that may not be sent.
        end(.over(.fault(Fault(.internal, detail: "the request's headers cannot be sent: \(error)"))))
    }

    private func finishIfAnswered() {
        guard var answer = parser.answer else { return }
        // What a redirect says besides is not read.
        let isRedirect = question.isFollowed(answer.status) && answer.location != nil
        guard isRedirect || question.options.body == nil || answer.isCut || parser.isComplete else { return }
        stopwatch.end(.transfer, at: time())
        answer.isWhole = parser.isComplete
        end(.answer(answer))
    }

    private func end(_ word: Word) {
        guard !isOver else { return }
        isOver = true
        tell(word)
    }
}
