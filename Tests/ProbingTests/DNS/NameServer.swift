import NIOCore
import NIOPosix

/// A scripted DNS server on loopback, by UDP and by TCP on the same port.
struct NameServer {
    /// A query that the server received.
    struct Question: Sendable {
        let query: [UInt8]
        let isStream: Bool
        let source: SocketAddress
        let port: UInt16
    }

    /// A reaction to a query.
    enum Action: Sendable {
        case send([UInt8])
        /// Send from another port.
        case sendFromOtherPort([UInt8])
        case close
    }

    private let datagrams: any Channel
    private let streams: any Channel
    private let otherPort: any Channel

    static func on(
        host: String = "127.0.0.1",
        _ answer: @escaping @Sendable (Question) -> [Action]
    ) async throws -> NameServer {
        let group = MultiThreadedEventLoopGroup.singleton
        let otherPort = try await DatagramBootstrap(group: group).bind(host: host, port: 0).get()
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
                        let handler = NameServerDatagrams(otherPort: otherPort, answer: answer)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .bind(host: host, port: streams.localAddress?.port ?? 0)
                .get()
            if let datagrams { return NameServer(datagrams: datagrams, streams: streams, otherPort: otherPort) }
            // The UDP port is in use.
            try await streams.close()
        }
    }

    var port: UInt16 {
        UInt16(datagrams.localAddress?.port ?? 0)
    }

    func close() async throws {
        try await datagrams.close()
        try await streams.close()
        try await otherPort.close()
    }
}
