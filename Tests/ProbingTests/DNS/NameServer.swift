import NIOCore
import NIOPosix

/// A DNS server on loopback that says what it is told to, by UDP and by TCP on the same port.
struct NameServer {
    /// What it is asked.
    struct Question: Sendable {
        let query: [UInt8]
        let isStream: Bool
        let source: SocketAddress
        let port: UInt16
    }

    /// What it says.
    enum Word: Sendable {
        case say([UInt8])
        /// From a port where nobody was asked.
        case sayElsewhere([UInt8])
        case hangUp
    }

    private let datagrams: any Channel
    private let streams: any Channel
    private let elsewhere: any Channel

    static func on(
        host: String = "127.0.0.1",
        _ answer: @escaping @Sendable (Question) -> [Word]
    ) async throws -> NameServer {
        let group = MultiThreadedEventLoopGroup.singleton
        let elsewhere = try await DatagramBootstrap(group: group).bind(host: host, port: 0).get()
        while true {
            let streams = try await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NameServerStreams(answer: answer))
                    }
                }
                .bind(host: host, port: 0)
                .get()
            let datagrams = try? await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = NameServerDatagrams(elsewhere: elsewhere, answer: answer)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .bind(host: host, port: streams.localAddress?.port ?? 0)
                .get()
            if let datagrams { return NameServer(datagrams: datagrams, streams: streams, elsewhere: elsewhere) }
            // Somebody else has that port by UDP.
            try await streams.close()
        }
    }

    var port: UInt16 {
        UInt16(datagrams.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await datagrams.close()
        try await streams.close()
        try await elsewhere.close()
    }
}
