import LibC
public import NIOCore
public import NIOPosix

/// A TCP server on loopback whose connections a test holds in its hands, in the order in which they came.
public final class SessionPeer {
    /// One connection, as the server sees it.
    public struct Connection: Sendable {
        /// Its socket.
        public let channel: any Channel
        /// Ends when the other side has closed.
        public let words: AsyncStream<String>

        /// Says something.
        public func say(_ text: String) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }

        /// Ends it in order.
        public func close() {
            channel.close(promise: nil)
        }

        /// Breaks it off: with nothing to linger for, closing sends a reset.
        public func reset() async throws {
            let provider = channel as? any SocketOptionProvider
            try await provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
        }

        /// Waits until the other side has closed.
        public func end() async {
            for await _ in words {}
        }
    }

    private let channel: any Channel
    private var connections: AsyncStream<Connection>.Iterator

    /// - Parameters:
    ///   - host: its address; loopback when absent.
    ///   - port: the port; one that is free when absent.
    ///   - group: whose threads it lives on.
    ///   - answers: what it says to whatever it hears.
    public static func on(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        group: any EventLoopGroup = .singletonMultiThreadedEventLoopGroup,
        answers: String? = nil
    ) async throws -> SessionPeer {
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        // The socket belongs to the network of the thread that makes it.
        let channel = try await group.next().flatSubmit {
            ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    let (words, said) = AsyncStream.makeStream(of: String.self)
                    return channel.eventLoop.makeCompletedFuture {
                        let ear = PeerEar(answer: answers, said: said) {
                            accepted.yield(Connection(channel: channel, words: words))
                        }
                        try channel.pipeline.syncOperations.addHandler(ear)
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

    /// Its port.
    public var port: UInt16 {
        UInt16(channel.localAddress?.port ?? 0)
    }

    /// The next connection; waits until there is one.
    public func next() async -> Connection? {
        await connections.next(isolation: #isolation)
    }

    /// Lets nobody in any more.
    public func close() async throws {
        try await channel.close()
    }
}

private final class PeerEar: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: String?
    private let said: AsyncStream<String>.Continuation
    private let stands: () -> Void

    init(answer: String?, said: AsyncStream<String>.Continuation, stands: @escaping () -> Void) {
        self.answer = answer
        self.said = said
        self.stands = stands
    }

    /// Before, nothing can be said.
    func channelActive(context: ChannelHandlerContext) {
        stands()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        said.yield(String(buffer: unwrapInboundIn(data)))
        if let answer { context.channel.writeAndFlush(ByteBuffer(string: answer), promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        said.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
