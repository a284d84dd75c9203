import NIOCore
import NIOPosix
import ReachMonitoring

/// The owner of an ICMP socket, which reads by a SwiftNIO channel. For systems whose sockets have no error queue, and
/// report errors from routers as packets; on Linux, such a channel would trap (``DatagramQueue``).
final class EchoChannel {
    private let channel: any Channel

    /// Reads from the descriptor until it is closed. If that fails, the descriptor is closed too.
    init(of descriptor: CInt, on loop: any EventLoop, for listener: EchoListener) throws(Fault) {
        let handler = NIOLoopBound(
            EchoHandler(receive: listener.receive, batchEnded: listener.batchEnded),
            eventLoop: loop
        )
        let opening = DatagramBootstrap(group: loop)
            .channelOption(.datagramVectorReadMessageCount, value: EchoHandler.packetsPerRead)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: EchoHandler.packetsPerRead * EchoPacket.sizeRead)
            )
            // Every read has its own time: the packets of a second read would be stamped too early.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .withBoundSocket(descriptor)
        var opened: Result<any Channel, any Error>?
        // On the event loop, a bound socket is registered synchronously.
        opening.assumeIsolated().whenComplete { opened = $0 }
        switch opened {
        case .success(let channel):
            channel.closeFuture.assumeIsolated().whenComplete { _ in listener.ended() }
            self.channel = channel
        case .failure(let error):
            throw Fault(.internal, detail: "ICMP socket: \(error)")
        case nil:
            throw Fault(.internal, detail: "ICMP socket: not registered")
        }
    }

    var isOpen: Bool {
        channel.isActive
    }

    func read(isPolled: Bool) {
        // SwiftNIO reads on its own.
    }

    func close() {
        channel.close(promise: nil)
    }
}

/// A handler that passes on the packets of an ICMP socket.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    static let packetsPerRead = 64

    private let receive: (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void
    private let batchEnded: () -> Void

    init(
        receive: @escaping (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void,
        batchEnded: @escaping () -> Void
    ) {
        self.receive = receive
        self.batchEnded = batchEnded
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let source = IPAddress(envelope.remoteAddress) else { return }
        envelope.data.withUnsafeReadableBytes { receive($0, source, nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        batchEnded()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error about one packet does not end the reading. If the channel closes because of it, the next probe opens
        // another one.
    }
}
