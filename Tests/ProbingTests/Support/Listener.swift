import NIOCore
import NIOPosix

/// A TCP server on loopback that sends one message to each client, or nothing.
struct Listener {
    /// A port that nothing opens: the system gives programs higher ones, such as the port of a listener that was closed.
    static let closedPort: UInt16 = 1

    private let channel: any Channel

    /// - Parameter says: the message before it closes the connection; nil to keep the connection open without sending.
    static func on(
        host: String = "127.0.0.1",
        port: UInt16 = 0,
        says answer: String? = nil,
        closes: Bool = true,
        connected: @escaping @Sendable () -> Void = {}
    ) async throws -> Listener {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                connected()
                guard let answer else { return channel.eventLoop.makeSucceededVoidFuture() }
                let written = channel.writeAndFlush(ByteBuffer(string: answer))
                if closes { written.whenComplete { _ in channel.close(promise: nil) } }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: host, port: Int(port))
            .get()
        return Listener(channel: channel)
    }

    var port: UInt16 {
        UInt16(channel.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await channel.close()
    }
}
