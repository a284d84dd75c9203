import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import ReachSystem

/// Answers the first request of a connection, then closes the connection, or waits for the next request if the response
/// permits that. Each step has a timeout, so that neither a slow client nor one that sends endlessly keeps its connection.
final class HTTPRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a client may take to send the head of its request.
    static let requestTimeout = TimeAmount.seconds(5)
    /// How long a client may take to read the response: the default `scrape_timeout` of Prometheus.
    static let responseTimeout = TimeAmount.seconds(10)
    /// How long a client may take to close its side of the connection after the response.
    static let closeTimeout = TimeAmount.seconds(1)
    /// How long the event loop may write parts before it turns to other connections.
    static let writingTime = TimeAmount.milliseconds(5)
    /// How long a kept connection waits for the next request: longer than the usual intervals of scrapes.
    static let idleTimeout = TimeAmount.minutes(2)
    /// The maximum size of the request target and of the header fields, in bytes.
    static let headLimit = 8_192

    private enum State { case receiving, responding, closing }

    private let isLoopback: Bool
    private let connections: ConnectionLimit?
    private let respond: @Sendable (HTTPRequestHead) async -> HTTPServerResponse
    /// Compresses chunked bodies, if the client accepts that. Responses to HTTP/1.0 and HEAD have no chunks.
    private let compressor = HTTPResponseCompressor { head, _ in
        head.headers.contains(name: "Transfer-Encoding") ? .compressIfPossible : .doNotCompress
    }
    private let filter = RequestFilter()
    private var state = State.receiving
    /// Whether the parser has failed, and parses no further request.
    private var hasFailed = false
    /// Whether the response is not needed if the client closes its side of the connection.
    private var endsWithInput = false
    /// The end of the current step's timeout, which closes the connection.
    private var deadline = NIODeadline.distantFuture
    /// The timer of the deadline. It may fire earlier, and is then set again: most steps end before a new timer would pay.
    private var timer: (task: Scheduled<Void>, time: NIODeadline)?
    /// When the event loop last turned to other connections.
    private var turn = NIODeadline.distantPast
    private var task: Task<Void, Never>?

    /// - Parameters:
    ///   - isLoopback: Whether the listener's address is a loopback address.
    ///   - connections: The limit of the server's connections.
    ///   - respond: Returns the response to a valid request.
    init(
        isLoopback: Bool,
        connections: ConnectionLimit?,
        respond: @escaping @Sendable (HTTPRequestHead) async -> HTTPServerResponse
    ) {
        self.isLoopback = isLoopback
        self.connections = connections
        self.respond = respond
    }

    /// Adds NIO's HTTP codec and the handler to the pipeline of a connection.
    func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        var encoder = HTTPResponseEncoder.Configuration()
        // Automatic framing would end a response to HEAD with an empty chunk.
        encoder.automaticallySetFramingHeaders = false
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Self.headLimit
        limits.maxHeaderListSize = Self.headLimit
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withEncoderConfiguration: encoder,
            withDecoderLimitConfiguration: limits
        )
        try pipeline.addHandlers([filter, compressor, self])
    }

    func channelActive(context: ChannelHandlerContext) {
        closeConnection(after: Self.requestTimeout, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.task.cancel()
        timer = nil
        task?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data), beginResponding(context) else { return }
        do throws(RequestError) {
            try request.validate(isLoopback: isLoopback, from: context.remoteAddress)
        } catch {
            return send(error.response, to: request, context)
        }
        endsWithInput = request.path == ProbeEndpoint.path
        let response = context.eventLoop.makePromise(of: HTTPServerResponse.self)
        // A probe waits for its sockets on this event loop. Other responses are CPU-bound, so they run off the event loop.
        let executor = endsWithInput ? SerialTaskExecutor { [loop = context.eventLoop] in loop.execute($0) } : nil
        task = Task(executorPreference: executor) { [respond] in response.succeed(await respond(request)) }
        response.futureResult.assumeIsolated().whenSuccess { self.send($0, to: request, context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // All other errors concern the connection, and close it.
        guard let error = error as? HTTPParserError else { return }
        hasFailed = true
        guard beginResponding(context) else { return }
        // The compressor requires a request for each response.
        context.pipeline.syncOperations.removeHandler(compressor, promise: nil)
        send(RequestError(error).response, to: nil, context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A half-closed connection is valid once the request is complete. But clients that give up a scrape close only this
        // side, and a probe is not worth sending any more.
        guard case .inputClosed? = event as? ChannelEvent,
            state == .receiving || state == .responding && endsWithInput
        else { return }
        context.close(promise: nil)
    }

    /// Returns whether an open connection waits for a request. If so, protects the connection from replacement.
    private func beginResponding(_ context: ChannelHandlerContext) -> Bool {
        guard state == .receiving, context.channel.isActive else { return false }
        state = .responding
        deadline = .distantFuture
        connections?.markBusy(context.channel)
        return true
    }

    /// Sends the response to a request; the request is nil if it could not be parsed.
    private func send(_ response: HTTPServerResponse, to request: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        var response = response
        if request?.method == .HEAD { response.body = .none }
        // HTTP/1.0 keeps a connection only if the response says so.
        let isKept = request.map { $0.isKeepAlive && $0.version == .http1_1 } ?? false
        if !isKept || filter.hasDropped { response.keepsConnection = false }
        closeConnection(after: Self.responseTimeout, context)
        turn = context.eventLoop.now
        context.write(wrapOutboundOut(.head(response.head(for: request?.version ?? .http1_1))), promise: nil)
        switch response.body {
        case .none:
            endBody(keepsConnection: response.keepsConnection, context)
        case .text(let text):
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            endBody(keepsConnection: response.keepsConnection, context)
        case .parts(let parts):
            send(parts, keepsConnection: response.keepsConnection, context)
        }
    }

    private func endBody(keepsConnection: Bool, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenSuccess {
            keepsConnection ? self.awaitRequest(context) : self.endResponding(context)
        }
    }

    /// Sends the next part of a body. The part after it is created when the kernel has accepted this one.
    private func send(
        _ parts: any IteratorProtocol<String> & Sendable,
        keepsConnection: Bool,
        _ context: ChannelHandlerContext
    ) {
        var parts = parts
        guard let part = parts.next() else { return endBody(keepsConnection: keepsConnection, context) }
        let rest = parts
        let continueLater = {
            self.continueLater(context) { self.send(rest, keepsConnection: keepsConnection, context) }
        }
        // The compressor reports a part without bytes as an error.
        guard !part.isEmpty else { return continueLater() }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: part))))).assumeIsolated()
            .whenSuccess(continueLater)
    }

    /// Performs an operation in another task of the event loop, and yields to other connections from time to time. Otherwise,
    /// one fast client would occupy the event loop for its whole response, since immediate tasks come first.
    private func continueLater(_ context: ChannelHandlerContext, _ operation: @escaping () -> Void) {
        let loop = context.eventLoop
        guard loop.now - turn >= Self.writingTime else { return loop.assumeIsolated().execute(operation) }
        loop.assumeIsolated().scheduleTask(in: .microseconds(100)) {
            self.turn = loop.now
            operation()
        }
    }

    /// Waits for the next request. A client that has sent it before the end of this response has to send it again, on
    /// another connection (RFC 9112 §9.3.2).
    private func awaitRequest(_ context: ChannelHandlerContext) {
        guard !filter.hasDropped, !hasFailed else { return endResponding(context) }
        state = .receiving
        filter.reset()
        closeConnection(after: Self.idleTimeout, context)
        connections?.markIdle(context.channel)
    }

    /// Closes the output side of the connection and waits for the client to close the other. Closing both at once would reset
    /// the connection of a client that is still sending, and the response would be lost.
    private func endResponding(_ context: ChannelHandlerContext) {
        state = .closing
        closeConnection(after: Self.closeTimeout, context)
        connections?.markIdle(context.channel)
        context.close(mode: .output, promise: nil)
    }

    private func closeConnection(after timeout: TimeAmount, _ context: ChannelHandlerContext) {
        deadline = context.eventLoop.now + timeout
        if let timer, timer.time <= deadline { return }
        timer?.task.cancel()
        setTimer(context)
    }

    private func setTimer(_ context: ChannelHandlerContext) {
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            if context.eventLoop.now >= self.deadline { return context.close(promise: nil) }
            if self.deadline != .distantFuture { self.setTimer(context) }
        }
        timer = (task, deadline)
    }
}

/// Passes the head of one request. Its body and further requests are dropped: the compressor would keep their
/// `Accept-Encoding` fields.
private final class RequestFilter: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasPassed = false
    /// Whether a further request was dropped.
    private(set) var hasDropped = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head = unwrapInboundIn(data) else { return }
        guard !hasPassed else { return hasDropped = true }
        hasPassed = true
        context.fireChannelRead(data)
    }

    /// Passes the head of the next request too.
    func reset() {
        hasPassed = false
    }
}
