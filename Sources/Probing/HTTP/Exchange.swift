import Monitoring
import NIOCore
import NIOHTTP1

/// Sends one request on an open connection and takes in the answer, as far as somebody wants to read it.
final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
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
    private var answer: HTTPAnswer?
    private var meter: AnswerMeter?
    private var isAsking = false

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
    }

    /// Adds itself to the pipeline, with all that speaks HTTP, and asks.
    func begin(on channel: any Channel) throws {
        let meter = AnswerMeter(
            began: { [stopwatch, time] in stopwatch.end(.processing, at: time()) },
            exceeded: { [tell] in tell(.over(.failure($0))) }
        )
        self.meter = meter
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = AnswerMeter.longestHead
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(meter)
        try pipeline.addHandler(ByteToMessageHandler(HTTPResponseDecoder(limitConfiguration: limits)))
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        stopwatch.resume(at: time())
        isAsking = true
        context.write(wrapOutboundOut(.head(question.requestHead)), promise: nil)
        if let body = question.options.bodySent {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        isAsking = false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            meter?.isPastHead = true
            let answer = HTTPAnswer(head, keepsBody: question.options.body != nil)
            self.answer = answer
            // What a redirect says besides, nobody reads.
            if question.isFollowed(answer.status), answer.location != nil { finish() }
        case .body(let part):
            answer?.take(part)
            if answer?.isCut == true { finish() }
        case .end:
            finish()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let detail = answer == nil ? "closed without an answer" : "closed in the middle of the answer"
        tell(.over(.failure(Failure(.closed, detail: detail))))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tell(.over(outcome(of: error)))
    }

    private func finish() {
        guard let answer else { return }
        stopwatch.end(.transfer, at: time())
        tell(.answer(answer))
    }

    private func outcome(of error: any Error) -> Outcome {
        guard !isAsking else {
            return .fault(Fault(.internal, detail: "the request's headers cannot be sent: \(error)"))
        }
        return switch error {
        case HTTPParserError.invalidEOFState:
            .failure(
                Failure(.closed, detail: "closed in the middle of the \(answer == nil ? "headers" : "answer")")
            )
        case HTTPParserError.headerOverflow:
            .failure(Failure(.protocolError, detail: "headers without end"))
        default:
            .failure(Failure(.protocolError, detail: answer == nil ? "the answer is not HTTP" : "malformed HTTP"))
        }
    }
}
