import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import ReachMonitoring
import ReachSystem
import TestSupport

/// A web server on loopback whose responses a test scripts, valid or not.
struct WebServer {
    /// The server's reaction to a request or a connection.
    enum Action: Sendable {
        /// Sends this text and closes.
        case send(String)
        /// Sends this text and keeps the connection open.
        case sendAndHold(String)
        /// Sends this text after a delay and closes.
        case delay(TimeAmount, String)
        /// Sends the first text once and the second one forever.
        case endless(String, String)
        /// Sends two texts, each after a delay, and closes.
        case sendInTwoParts(TimeAmount, String, TimeAmount, String)
        /// Sends this text one byte at a time, with this interval.
        case trickle(TimeAmount, String)
        /// Resets the connection.
        case reset
        /// Closes without sending anything.
        case close
    }

    private let channel: any Channel

    /// - Parameters:
    ///   - group: the server's event loops.
    ///   - tls: the TLS context; nil for plain HTTP.
    ///   - firstReadDelay: the delay of the first bytes received, which with TLS are the ClientHello.
    ///   - greeting: the reaction to a connection, before any request.
    ///   - closesAfterHandshake: whether it closes as soon as TLS is established.
    ///   - waitsForRequest: whether it waits for a complete request head, or reacts to any bytes.
    ///   - answer: returns the reaction to a request, given as received.
    static func on(
        host: String = "127.0.0.1",
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup,
        tls: NIOSSLContext? = nil,
        firstReadDelay: TimeAmount? = nil,
        greeting: Action? = nil,
        closesAfterHandshake: Bool = false,
        waitsForRequest: Bool = true,
        answer: @escaping @Sendable (String) -> Action = { _ in .send(ok("fine")) }
    ) async throws -> WebServer {
        // A socket belongs to the network namespace of the thread that creates it.
        let channel = try await group.next().flatSubmit {
            ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let firstReadDelay {
                            try channel.pipeline.syncOperations.addHandler(FirstReadDelay(firstReadDelay))
                        }
                        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                        if closesAfterHandshake { try channel.pipeline.syncOperations.addHandler(HandshakeCloser()) }
                        try channel.pipeline.syncOperations.addHandler(
                            RequestHandler(greeting: greeting, waitsForRequest: waitsForRequest, answer: answer)
                        )
                    }
                }
                .bind(host: host, port: 0)
        }
        .get()
        return WebServer(channel: channel)
    }

    /// Returns a complete response.
    static func answer(_ status: String, headers: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    /// Returns a complete response with status 200.
    static func ok(_ body: String) -> String {
        answer("200 OK", body)
    }

    var port: UInt16 {
        UInt16(channel.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await channel.close()
    }
}

/// Closes a connection when its handshake is complete.
private final class HandshakeCloser: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: WebServer.Action?
    private let waitsForRequest: Bool
    private let answer: @Sendable (String) -> WebServer.Action
    private var request = ""

    init(greeting: WebServer.Action?, waitsForRequest: Bool, answer: @escaping @Sendable (String) -> WebServer.Action) {
        self.greeting = greeting
        self.waitsForRequest = waitsForRequest
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        if let greeting { perform(greeting, context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard greeting == nil, !waitsForRequest || request.contains("\r\n\r\n") else { return }
        let whole = request
        request = ""
        perform(answer(whole), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ action: WebServer.Action, _ context: ChannelHandlerContext) {
        let loop = context.eventLoop.assumeIsolated()
        switch action {
        case .send(let text):
            write(text, context).whenComplete { _ in context.close(promise: nil) }
        case .sendAndHold(let text):
            _ = write(text, context)
        case .delay(let amount, let text):
            loop.scheduleTask(in: amount) { self.perform(.send(text), context) }
        case .sendInTwoParts(let first, let beginning, let second, let end):
            loop.scheduleTask(in: first) {
                self.write(beginning, context).whenSuccess { self.perform(.delay(second, end), context) }
            }
        case .endless(let head, let text):
            write(head, context).whenSuccess { context.sendRepeatedly(text) }
        case .trickle(let amount, let text):
            guard let first = text.first else { return context.close(promise: nil) }
            write(String(first), context).whenSuccess {
                loop.scheduleTask(in: amount) { self.perform(.trickle(amount, String(text.dropFirst())), context) }
            }
        case .reset:
            let channel = context.channel
            (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .whenComplete { _ in channel.close(promise: nil) }
        case .close:
            context.close(promise: nil)
        }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void>.Isolated {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).assumeIsolated()
    }
}

/// Delays the first bytes received for the handlers behind it.
final class FirstReadDelay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let delay: TimeAmount
    /// The bytes received so far; nil once they have been passed on.
    private var pending: [ByteBuffer]? = []

    init(_ delay: TimeAmount) {
        self.delay = delay
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let earlier = pending else { return context.fireChannelRead(data) }
        pending = earlier + [unwrapInboundIn(data)]
        guard earlier.isEmpty else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            for bytes in self.pending ?? [] { context.fireChannelRead(self.wrapInboundOut(bytes)) }
            self.pending = nil
            context.fireChannelReadComplete()
        }
    }
}
