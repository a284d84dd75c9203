import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A TCP server on loopback whose connections a test holds in its hands, in the order in which they came.
final class SessionPeer {
    /// One connection, as the server sees it.
    struct Connection: Sendable {
        let channel: any Channel
        /// Ends when the other side has closed.
        let words: AsyncStream<String>

        func say(_ text: String) {
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }

        /// Ends it in order.
        func close() {
            channel.close(promise: nil)
        }

        /// Breaks it off: with nothing to linger for, closing sends a reset.
        func reset() async throws {
            let provider = channel as? any SocketOptionProvider
            try await provider?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            try await channel.close()
        }

        /// Waits until the other side has closed.
        func end() async {
            for await _ in words {}
        }
    }

    private let channel: any Channel
    private var connections: AsyncStream<Connection>.Iterator

    /// - Parameters:
    ///   - port: the port; one that is free when absent.
    ///   - answers: what it says to whatever it hears.
    static func on(port: UInt16 = 0, answers: String? = nil) async throws -> SessionPeer {
        let (connections, accepted) = AsyncStream.makeStream(of: Connection.self)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let (words, said) = AsyncStream.makeStream(of: String.self)
                return channel.eventLoop.makeCompletedFuture {
                    let ear = Ear(answer: answers, said: said) {
                        accepted.yield(Connection(channel: channel, words: words))
                    }
                    try channel.pipeline.syncOperations.addHandler(ear)
                }
            }
            .bind(host: "127.0.0.1", port: Int(port))
            .get()
        return SessionPeer(channel: channel, connections: connections)
    }

    private init(channel: any Channel, connections: AsyncStream<Connection>) {
        self.channel = channel
        self.connections = connections.makeAsyncIterator()
    }

    var port: UInt16 {
        UInt16(channel.localAddress?.port ?? 0)
    }

    /// The next connection; waits until there is one.
    func next() async -> Connection? {
        await connections.next(isolation: #isolation)
    }

    func close() async throws {
        try await channel.close()
    }
}

private final class Ear: ChannelInboundHandler {
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
