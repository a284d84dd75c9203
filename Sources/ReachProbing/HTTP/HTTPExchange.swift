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
    /// The first bytes that were received, up to ``HTTPResponse/longestBeginning``.
    private var beginning: ByteBuffer?

    /// - Parameters:
    ///   - reading: the parts of the response that are read; nil for those that the options need.
    ///   - report: called once, with the result.
    init(
        _ question: HTTPQuestion,
        reading: Reading? = nil,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.question = question
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
            finishIfComplete()
        } catch {
            end(.failed(.failure(error)))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isOver {
            do {
                try parser.end()
                finishIfComplete()
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

    private func finishIfComplete() {
        guard var response = parser.response else { return }
        // The body of a redirect is not read.
        let isRedirect = reading.skipsRedirects ? response.isRedirect : question.isFollowed(response.status)
        let isSkipped = isRedirect && response.location != nil || !reading.readsBody
        guard isSkipped || response.isTruncated || parser.isComplete else { return }
        stopwatch.end(.transfer, at: time())
        if response.isTruncated, reading.failsAboveLimit {
            return end(.failed(.failure(Failure(.protocolError, detail: "body exceeds the limit"))))
        }
        response.isComplete = parser.isComplete
        response.beginning = beginning
        end(.response(response))
    }

    private func end(_ event: Event) {
        guard !isOver else { return }
        isOver = true
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
            fields: checkedFields.union(follow > 0 ? ["set-cookie"] : [])
        )
    }
}
