public import NIOCore
import NIOPosix
import ReachSystem
import Synchronization

/// A server on loopback that answers each request with the next step of its script, repeating the last one. It records
/// the requests.
public final class ScriptedServer: Sendable {
    /// The response to a request.
    public enum Action: Sendable {
        /// Sends a text, and closes the connection.
        case say(String)
        /// Sends a text, and resets the connection.
        case breakOff(after: String)
        /// Sends the first text, and then the second one repeatedly.
        case endless(String, String)
        /// Sends a text, and keeps the connection open. Further requests on it are answered.
        case hold(String)
    }

    private struct State {
        var script: [Action]
        var requests: [String] = []
    }

    private let state: Mutex<State>
    private let onRequest: @Sendable () -> Void
    private let onClose: @Sendable () -> Void
    private let accepted = Mutex(0)
    private let listening = Mutex<(any Channel)?>(nil)

    /// A URL with a port that nothing opens. That of a server that was stopped can become another test's.
    public static let closedURL = "http://127.0.0.1:1/"

    /// Starts a server.
    ///
    /// - Parameters:
    /// - isPatient: whether it waits for the end of a request, or treats each read as one.
    /// - port: the port; a free one by default.
    /// - onRequest: called for each request, before the response.
    /// - onClose: called when a connection has closed.
    public static func on(
        _ script: Action...,
        waitsForWholeRequest: Bool = true,
        port: Int = 0,
        onRequest: @escaping @Sendable () -> Void = {},
        onClose: @escaping @Sendable () -> Void = {}
    ) async throws -> ScriptedServer {
        let server = ScriptedServer(script, onRequest: onRequest, onClose: onClose)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                server.accepted.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptedServerHandler(
                            waitsForWholeRequest: waitsForWholeRequest,
                            next: server.next,
                            onClose: server.onClose
                        )
                    )
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        server.listening.withLock { $0 = channel }
        return server
    }

    private init(
        _ script: [Action],
        onRequest: @escaping @Sendable () -> Void,
        onClose: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(script: script))
        self.onRequest = onRequest
        self.onClose = onClose
    }

    /// The URL of the server: `http://127.0.0.1:34567/hook`.
    public var url: String { "http://127.0.0.1:\(port)/hook" }

    /// The port; zero after the server has stopped.
    public var port: Int { listening.withLock { $0?.localAddress?.port ?? 0 } }

    /// The requests so far.
    public var requests: [String] {
        state.withLock { $0.requests }
    }

    /// The number of connections so far.
    public var connectionCount: Int { accepted.withLock(\.self) }

    /// Stops listening: further connections are refused.
    public func stop() async throws {
        try await listening.withLock { $0 }?.close()
    }

    private func next(_ request: String) -> Action {
        onRequest()
        return state.withLock { state in
            state.requests.append(request)
            return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
        }
    }
}

/// The handler of one connection of a ``ScriptedServer``: reads a whole request and performs the next step of the
/// script.
final class ScriptedServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let waitsForWholeRequest: Bool
    private let next: @Sendable (String) -> ScriptedServer.Action
    private let onClose: @Sendable () -> Void
    private var request = ""

    init(
        waitsForWholeRequest: Bool,
        next: @escaping @Sendable (String) -> ScriptedServer.Action,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.waitsForWholeRequest = waitsForWholeRequest
        self.next = next
        self.onClose = onClose
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard !waitsForWholeRequest || isComplete else { return }
        let whole = request
        request = ""
        perform(next(whole), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Whether the header and the body, as long as `Content-Length`, have arrived.
    private var isComplete: Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].lowercased().firstMatch(of: /content-length: *(\d+)/)
            .flatMap { Int($0.1) }
        return request[end.upperBound...].utf8.count >= length ?? 0
    }

    private func perform(_ deed: ScriptedServer.Action, _ context: ChannelHandlerContext) {
        switch deed {
        case .say(let text):
            send(text, context).whenComplete { _ in context.close(promise: nil) }
        case .hold(let text):
            _ = send(text, context)
        case .endless(let head, let text):
            send(head, context).whenSuccess { context.sendRepeatedly(text) }
        case .breakOff(let text):
            let channel = context.channel
            send(text, context).whenComplete { _ in
                (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    .whenComplete { _ in channel.close(promise: nil) }
            }
        }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void>.Isolated {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).assumeIsolated()
    }
}

extension String {
    /// A complete HTTP response: `HTTP/1.1 503 Service Unavailable`, its header fields and its body.
    public static func answer(_ status: String, _ fields: String..., body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]).joined(separator: "\r\n")
    }
}

extension ChannelHandlerContext {
    /// Sends a text again and again, until the connection closes.
    ///
    /// The next time is no immediate task: NIO performs all of those before it turns to other connections, and would serve
    /// none while the client reads.
    public func sendRepeatedly(_ text: String) {
        send(repeating: ByteBuffer(string: String(repeating: text, count: max(1, 10_000 / text.utf8.count))))
    }

    private func send(repeating piece: ByteBuffer) {
        let loop = eventLoop.assumeIsolated()
        writeAndFlush(NIOAny(piece)).assumeIsolated().whenSuccess {
            loop.scheduleTask(in: .milliseconds(1)) { self.send(repeating: piece) }
        }
    }
}
