import Monitoring
import NIOCore
import NIOPosix

/// An echo reader by a SwiftNIO channel, for an ICMP socket that reports errors in packets only.
final class EchoChannel: EchoReader {
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
                value: FixedSizeRecvByteBufferAllocator(capacity: EchoHandler.packetsPerRead * EchoHandler.packetSize)
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
