public import NIOCore
public import NIOPosix
import ReachSystem

/// A TCP server on loopback. A test controls its connections, in the order in which they arrive.
public final class SessionPeer {
    /// The server's end of a connection.
    public struct Connection: Sendable {
        /// The channel.
        public let channel: any Channel
        /// The received texts; the stream ends when the peer has closed.
        public let words: AsyncStream<String>

        /// Sends a text.
        public func say(_ text: String) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }

        /// Closes the connection in order.
        public func close() {
            channel.close(promise: nil)
        }

        /// Resets the connection: with a linger time of zero, closing sends a reset.
        public func reset() async throws {
            let provider = channel as? any SocketOptionProvider
            try await provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
        }

        /// Waits until the peer has closed.
        public func end() async {
            for await _ in words {}
        }
    }

    private let channel: any Channel
    private var connections: AsyncStream<Connection>.Iterator

    /// - Parameters:
    /// - host: the address; loopback by default.
    /// - port: the port; a free one by default.
    /// - group: the event loops of the server.
    /// - answers: the reply to each received text; nil for none.
    public static func on(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup,
        answers: String? = nil
    ) async throws -> SessionPeer {
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        // The socket belongs to the network namespace of the thread that creates it.
        let channel = try await group.next().flatSubmit {
            ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    let (words, received) = AsyncStream.makeStream(of: String.self)
                    return channel.eventLoop.makeCompletedFuture {
                        let handler = PeerHandler(answer: answers, received: received) {
                            accepted.yield(Connection(channel: channel, words: words))
                        }
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .bind(host: host, port: Int(port))
        }
        .get()
        return SessionPeer(channel: channel, connections: connections)
    }

    private init(channel: any Channel, connections: AsyncStream<Connection>) {
        self.channel = channel
        self.connections = connections.makeAsyncIterator()
    }

    /// The port.
    public var port: UInt16 {
        UInt16(channel.localAddress?.port ?? 0)
    }

    /// Waits for and returns the next connection.
    public func next() async -> Connection? {
        await connections.next(isolation: #isolation)
    }

    /// Stops accepting connections.
    public func close() async throws {
        try await channel.close()
    }
}

private final class PeerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: String?
    private let received: AsyncStream<String>.Continuation
    private let onActive: () -> Void

    init(answer: String?, received: AsyncStream<String>.Continuation, onActive: @escaping () -> Void) {
        self.answer = answer
        self.received = received
        self.onActive = onActive
    }

    /// Delivers the connection, since only an active channel can send.
    func channelActive(context: ChannelHandlerContext) {
        onActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.yield(String(buffer: unwrapInboundIn(data)))
        if let answer { context.channel.writeAndFlush(ByteBuffer(string: answer), promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        received.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
