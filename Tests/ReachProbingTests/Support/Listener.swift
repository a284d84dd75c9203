import NIOCore
import NIOPosix
import ReachSystem
import Testing

@testable import ReachProbing

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

/// A listener with a full accept queue: the kernel drops further SYN packets.
final class FullListener: Sendable {
    let port: UInt16
    private let descriptor: CInt
    private let first: CInt

    /// - Parameter port: zero for any port.
    init(host: String = "127.0.0.1", port: UInt16 = 0) throws {
        descriptor = socket(AF_INET, SocketType.stream, 0)
        first = socket(AF_INET, SocketType.stream, 0)
        let (descriptor, first) = (descriptor, first)
        let address = try #require(IPAddress(literal: host))
        let isBound = address.withSocketAddress(port: port) {
            bind(descriptor, $0, $1) == 0 && listen(descriptor, 0) == 0
        }
        try #require(isBound)
        self.port = try #require(LocalEndpoint(of: descriptor)).port
        let isFull = address.withSocketAddress(port: self.port) { connect(first, $0, $1) == 0 }
        try #require(isFull)
    }

    /// Accepts a connection, which makes room in the queue.
    func open() {
        closeDescriptor(accept(descriptor, nil, nil))
    }

    deinit {
        closeDescriptor(descriptor)
        closeDescriptor(first)
    }
}
