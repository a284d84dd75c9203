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

/// The UDP side of ``NameServer``.
final class NameServerDatagrams: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let otherPort: any Channel
    private let answer: @Sendable (NameServer.Question) -> [NameServer.Action]

    init(otherPort: any Channel, answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Action]) {
        self.otherPort = otherPort
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let source = envelope.remoteAddress
        let question = NameServer.Question(
            query: Array(envelope.data.readableBytesView),
            isStream: false,
            source: source,
            port: UInt16(context.localAddress?.port ?? 0)
        )
        for action in answer(question) {
            switch action {
            case .send(let bytes):
                let envelope = AddressedEnvelope(remoteAddress: source, data: ByteBuffer(bytes: bytes))
                context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
            case .sendFromOtherPort(let bytes):
                let envelope = AddressedEnvelope(remoteAddress: source, data: ByteBuffer(bytes: bytes))
                otherPort.writeAndFlush(envelope, promise: nil)
            case .close:
                break
            }
        }
    }
}

/// The TCP side of ``NameServer``.
final class NameServerStreams: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (NameServer.Question) -> [NameServer.Action]
    private var buffer = ByteBuffer()

    init(answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Action]) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard
            let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
            let query = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length)),
            let source = context.remoteAddress
        else { return }
        let port = UInt16(context.localAddress?.port ?? 0)
        for action in answer(NameServer.Question(query: query, isStream: true, source: source, port: port)) {
            switch action {
            case .send(let bytes), .sendFromOtherPort(let bytes):
                let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
                // In two pieces: a reader must not expect one message per read.
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: length + bytes.prefix(5))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes.dropFirst(5))), promise: nil)
            case .close:
                context.close(promise: nil)
            }
        }
    }
}
