#if Fetch
import ReachMonitoring
import NIOCore
import NIOHTTP1

/// A channel handler that sends the request of an HTTP module and reads the response, with its whole body unless it is a
/// redirect.
final class BlackboxHTTPExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let question: HTTPQuestion
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private let report: (HTTPResponse?, Failure?) -> Void
    private var parser: HTTPResponseParser
    private var isOver = false

    /// - Parameters:
    ///   - checkedFields: the names of the header fields to keep, in lower case.
    ///   - keepsBody: whether the body is kept, or only counted.
    ///   - bodyLimit: the largest body; nil for any.
    ///   - report: called once with the response, if there is one, and the failure of an incomplete one.
    init(
        _ question: HTTPQuestion,
        checkedFields: Set<String>,
        keepsBody: Bool,
        bodyLimit: Int?,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        report: @escaping (HTTPResponse?, Failure?) -> Void
    ) {
        self.question = question
        self.stopwatch = stopwatch
        self.time = time
        self.report = report
        parser = HTTPResponseParser(
            answering: question.options.method,
            keepsBody: keepsBody,
            checkedFields: checkedFields.union(["content-length", "last-modified", "set-cookie", "transfer-encoding"]),
            bodyLimit: bodyLimit ?? .max
        )
    }

    /// The response, once its head is complete.
    var response: HTTPResponse? { parser.response }

    /// Whether nothing of a response was received.
    var isUnanswered: Bool { !parser.hasBegun }

    /// Adds the HTTP handlers and itself to the pipeline, and sends the request.
    func start(on channel: any Channel) throws {
        try HTTPQuestion.addHandlers(to: channel, then: self)
    }

    /// Ignores all that follows.
    func stop() {
        isOver = true
    }

    func handlerAdded(context: ChannelHandlerContext) {
        stopwatch.resume(at: time())
        question.send(on: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if !parser.hasBegun { stopwatch.end(.processing, at: time()) }
        do throws(Failure) {
            try parser.receive(unwrapInboundIn(data))
        } catch {
            return end(error)
        }
        if parser.response?.isTruncated == true {
            return end(Failure(.protocolError, detail: "body exceeds the limit"))
        }
        let isRedirect = parser.response.map { $0.location != nil && [301, 302, 303, 307, 308].contains($0.status) }
        if parser.isComplete || isRedirect == true { end(nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOver {
            do throws(Failure) {
                try parser.end()
                end(nil)
            } catch {
                end(error)
            }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // ``Connection`` handles connection errors. The only other one is a request with invalid headers.
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        end(Failure(.protocolError, detail: "the request's headers cannot be sent: \(error)"))
    }

    private func end(_ failure: Failure?) {
        guard !isOver else { return }
        isOver = true
        var response = parser.response
        response?.isComplete = parser.isComplete
        report(response, failure)
    }
}
#endif
