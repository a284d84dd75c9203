import NIOCore
import NIOHTTP1
import ReachBasics
import ReachMonitoring

/// A channel handler that sends one request on an open connection, and reads the response as far as it is needed.
final class HTTPExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The result of an exchange.
    enum Event {
        /// A response, complete or as much of it as is needed.
        case response(HTTPResponse)
        /// The exchange ended without a response.
        case failed(Outcome)
    }

    /// The parts of a response that are read.
    struct Reading {
        /// Whether the body is read; otherwise the response ends with its head.
        var readsBody: Bool
        /// Whether the body is kept, or only counted.
        var keepsBody: Bool
        /// The names of the header fields to keep, in lower case.
        var fields: Set<String>
        /// The maximum length of the body in bytes.
        var bodyLimit = HTTPOptions.maxBodyLength
        /// Whether a longer body fails the exchange; otherwise it is cut off.
        var failsAboveLimit = false
        /// Whether an unexpected response waits a moment for the beginning of its body, which ``HTTPResponse/excerpt`` shows.
        var awaitsExcerpt = false
        /// Whether the body of a redirect is skipped even if the redirect is not followed.
        var skipsRedirects = false
    }

    private let question: HTTPQuestion
    private let reading: Reading
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private let report: (Event) -> Void
    private var parser: HTTPResponseParser
    private var isOver = false
    /// Ends the wait for the beginning of a body that is only shown; nil before that.
    private var excerptWait: Scheduled<Void>?
    /// How long such a wait takes at most. Most servers send the body with the head, or at once after it.
    private static let excerptPatience = Duration.milliseconds(50)
    /// When the probe ends at the latest. A wait ends before.
    private let deadline: Duration
    /// The first bytes that were received, up to ``HTTPResponse/longestBeginning``.
    private var beginning: ByteBuffer?

    /// - Parameters:
    ///   - reading: the parts of the response that are read; nil for those that the options need.
    ///   - deadline: when the probe ends at the latest.
    ///   - report: called once, with the result.
    init(
        _ question: HTTPQuestion,
        reading: Reading? = nil,
        deadline: Duration,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.question = question
        self.deadline = deadline
        self.stopwatch = stopwatch
        self.time = time
        self.report = report
        let reading = reading ?? question.options.reading
        self.reading = reading
        parser = HTTPResponseParser(
            answering: question.options.method,
            keepsBody: reading.keepsBody,
            checkedFields: reading.fields,
            bodyLimit: reading.bodyLimit
        )
    }

    /// The response, complete or not, once its head is complete.
    var response: HTTPResponse? { parser.response }

    /// The response, if only the beginning of its body is awaited.
    var awaitedResponse: HTTPResponse? { excerptWait == nil ? nil : readResponse }

    /// The response as far as it was read.
    private var readResponse: HTTPResponse? {
        var response = parser.response
        response?.isComplete = parser.isComplete
        response?.beginning = beginning
        return response
    }

    /// Whether nothing of a response was received.
    var isUnanswered: Bool { !parser.hasBegun }

    /// Adds the HTTP handlers and itself to the pipeline, and sends the request.
    func start(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTPRequestEncoder())
        try pipeline.addHandler(NIOHTTPRequestHeadersValidator())
        try pipeline.addHandler(self)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        stopwatch.resume(at: time())
        question.send(on: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        if !parser.hasBegun { stopwatch.end(.processing, at: time()) }
        let bytes = unwrapInboundIn(data)
        let missing = HTTPResponse.longestBeginning - (beginning?.readableBytes ?? 0)
        if missing > 0, let part = bytes.getSlice(at: bytes.readerIndex, length: min(missing, bytes.readableBytes)) {
            beginning.setOrWriteImmutableBuffer(part)
        }
        do {
            try parser.receive(bytes)
            finishIfComplete(on: context.eventLoop)
        } catch {
            // What is wrong after the head is not why the response fails.
            if excerptWait != nil { finishIfComplete(on: nil) } else { end(.failed(.failure(error))) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOver {
            do {
                if excerptWait == nil { try parser.end() }
                finishIfComplete(on: nil)
            } catch {
                end(.failed(.failure(error)))
            }
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // ``Connection`` handles connection errors. The only other one is a request with invalid headers.
        end(
            .failed(
                .fault(
                    Fault(
                        .internal,
                        detail: "the request's headers cannot be sent: \(error) – change them in the settings"
                    )
                )
            )
        )
    }

    /// - Parameter loop: the event loop for a wait; nil at the end of the connection.
    private func finishIfComplete(on loop: (any EventLoop)?) {
        guard let response = readResponse else { return }
        // The body of a redirect is not read.
        let isRedirect = reading.skipsRedirects ? response.isRedirect : question.isFollowed(response.status)
        let isSkipped = isRedirect && response.location != nil || !reading.readsBody
        guard isSkipped || response.isTruncated || parser.isComplete else { return }
        if let loop, isSkipped, !isRedirect, awaitsExcerpt(of: response) {
            if excerptWait == nil {
                let patience = min(Self.excerptPatience, deadline - time() - .milliseconds(5))
                excerptWait = loop.assumeIsolated().scheduleTask(in: TimeAmount(patience)) { [self] in
                    finishIfComplete(on: nil)
                }
            }
            return
        }
        stopwatch.end(.transfer, at: time())
        if response.isTruncated, reading.failsAboveLimit {
            return end(.failed(.failure(Failure(.protocolError, detail: "body exceeds the limit"))))
        }
        end(.response(response))
    }

    /// Whether more of an unexpected response may be shown.
    private func awaitsExcerpt(of response: HTTPResponse) -> Bool {
        reading.awaitsExcerpt && !question.options.expects(response.status) && !parser.isComplete
            && beginning.map { $0.readableBytes < HTTPResponse.longestBeginning } ?? true
    }

    private func end(_ event: Event) {
        guard !isOver else { return }
        isOver = true
        excerptWait?.cancel()
        report(event)
    }
}

extension HTTPQuestion {
    /// The head of the request. A proxy without a tunnel gets the whole URL (RFC 9112 §3.2.2), and its credentials.
    var requestHead: HTTPRequestHead {
        var headers = HTTPHeaders([
            ("Host", hostField), ("User-Agent", HTTPOptions.userAgent), ("Accept", "*/*"),
        ])
        let forwarder = isSecure ? nil : proxy
        if let value = forwarder?.authorization { headers.add(name: "Proxy-Authorization", value: value) }
        var replaced: Set<String> = []
        for header in options.headers {
            let name = header.name.lowercased()
            guard !HTTPOptions.framingFields.contains(name) else { continue }
            if replaced.insert(name).inserted { headers.remove(name: name) }
            headers.add(name: header.name, value: header.value)
        }
        // A module can upgrade the connection. Other requests have no such field.
        let connection = options.headers.last { $0.name.lowercased() == "connection" }?.value
        headers.add(name: "Connection", value: connection ?? "close")
        if let body = options.bodySent { headers.add(name: "Content-Length", value: "\(body.utf8.count)") }
        return HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: options.method),
            uri: forwarder == nil ? requestTarget : "http://\(hostField)\(requestTarget)",
            headers: headers
        )
    }

    /// Sends the request on a channel with the handlers that encode and check it.
    fileprivate func send(on context: ChannelHandlerContext) {
        let send = { (part: HTTPClientRequestPart) in context.write(NIOAny(part), promise: nil) }
        send(.head(requestHead))
        if let body = options.bodySent { send(.body(.byteBuffer(ByteBuffer(string: body)))) }
        send(.end(nil))
        context.flush()
    }

    /// The host, with its port unless that is the scheme's default (RFC 9110 §7.2).
    private var hostField: String {
        port == Self.defaultPort(isSecure: isSecure) ? hostWithoutZone : "\(hostWithoutZone):\(port)"
    }

    /// The host in the syntax of URLs, without a zone identifier, which is local to this machine.
    var hostWithoutZone: String { String(host.prefix { $0 != "%" }).bracketed }
}

extension HTTPOptions {
    /// The parts of a response that the checks need.
    fileprivate var reading: HTTPExchange.Reading {
        HTTPExchange.Reading(
            readsBody: readsBody,
            keepsBody: readsBody,
            fields: checkedFields.union(follow > 0 ? ["set-cookie"] : []),
            awaitsExcerpt: true
        )
    }
}
