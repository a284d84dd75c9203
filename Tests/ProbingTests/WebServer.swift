import LibC
import Monitoring
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// A server on loopback that takes a request's first lines and does what the test says, well-behaved or not.
struct WebServer {
    /// What the server does with a request, or with a connection.
    enum Deed: Sendable {
        /// Says this, and closes.
        case say(String)
        /// Says this, and holds the connection open.
        case hold(String)
        /// Says this after a while, and closes.
        case delay(TimeAmount, String)
        /// Says the first, and then the second for ever.
        case endless(String, String)
        /// Says the first after a while, the second after another, and closes.
        case falter(TimeAmount, String, TimeAmount, String)
        /// Says this one byte at a time, this far apart.
        case dribble(TimeAmount, String)
        /// Breaks the connection off.
        case reset
        /// Closes without a word.
        case close
    }

    private let channel: any Channel

    /// - Parameters:
    ///   - group: the threads that it lives on.
    ///   - tls: speaks TLS where there is one.
    ///   - hesitation: how long it thinks about the first that it hears, which with TLS is the client's greeting.
    ///   - greeting: what is done with a connection before a request; nothing where it is nil.
    ///   - closesAfterHandshake: whether it closes as soon as TLS is established.
    ///   - isPatient: whether it waits for the end of a request's first lines, or answers to whatever is said.
    ///   - answer: what is done with a request, which is handed in as it came.
    static func on(
        host: String = "127.0.0.1",
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup,
        tls: NIOSSLContext? = nil,
        hesitation: TimeAmount? = nil,
        greeting: Deed? = nil,
        closesAfterHandshake: Bool = false,
        isPatient: Bool = true,
        answer: @escaping @Sendable (String) -> Deed = { _ in .say(ok("fine")) }
    ) async throws -> WebServer {
        // A socket belongs to the network of the thread that makes it.
        let channel = try await group.next().flatSubmit {
            ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let hesitation { try channel.pipeline.syncOperations.addHandler(Hesitation(hesitation)) }
                        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                        if closesAfterHandshake { try channel.pipeline.syncOperations.addHandler(HandshakeCloser()) }
                        try channel.pipeline.syncOperations.addHandler(
                            Clerk(greeting: greeting, isPatient: isPatient, answer: answer)
                        )
                    }
                }
                .bind(host: host, port: 0)
        }
        .get()
        return WebServer(channel: channel)
    }

    /// A whole answer.
    static func answer(_ status: String, headers: String = "", _ body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    /// A whole answer that all is well.
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

private final class Clerk: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let greeting: WebServer.Deed?
    private let isPatient: Bool
    private let answer: @Sendable (String) -> WebServer.Deed
    private var request = ""

    init(greeting: WebServer.Deed?, isPatient: Bool, answer: @escaping @Sendable (String) -> WebServer.Deed) {
        self.greeting = greeting
        self.isPatient = isPatient
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        if let greeting { perform(greeting, context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard greeting == nil, !isPatient || request.contains("\r\n\r\n") else { return }
        let whole = request
        request = ""
        perform(answer(whole), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ deed: WebServer.Deed, _ context: ChannelHandlerContext) {
        let loop = context.eventLoop.assumeIsolated()
        switch deed {
        case .say(let text):
            say(text, context).whenComplete { _ in context.close(promise: nil) }
        case .hold(let text):
            _ = say(text, context)
        case .delay(let amount, let text):
            loop.scheduleTask(in: amount) { self.perform(.say(text), context) }
        case .falter(let first, let beginning, let second, let end):
            loop.scheduleTask(in: first) {
                self.say(beginning, context).whenSuccess { self.perform(.delay(second, end), context) }
            }
        case .endless(let head, let text):
            // Not in place: a write that the system takes at once has ended already, and the stack would grow with each.
            say(head, context).whenSuccess { loop.execute { self.perform(.endless(text, text), context) } }
        case .dribble(let amount, let text):
            guard let first = text.first else { return context.close(promise: nil) }
            say(String(first), context).whenSuccess {
                loop.scheduleTask(in: amount) { self.perform(.dribble(amount, String(text.dropFirst())), context) }
            }
        case .reset:
            let channel = context.channel
            (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                .whenComplete { _ in channel.close(promise: nil) }
        case .close:
            context.close(promise: nil)
        }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void>.Isolated {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).assumeIsolated()
    }
}
