import NIOCore
import NIOPosix

/// A TCP server on loopback that says one thing to whoever connects, or nothing.
struct Listener {
    private let channel: any Channel

    /// - Parameter says: what it says before it closes the connection; nil to hold it open in silence.
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
                let said = channel.writeAndFlush(ByteBuffer(string: answer))
                if closes { said.whenComplete { _ in channel.close(promise: nil) } }
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
