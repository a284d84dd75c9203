import Monitoring
import NIOCore
import NIOPosix

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A socket that sends echo requests of one kind and hears their replies. Confined to its event loop.
///
/// SwiftNIO reads, but does not write: its datagram channel closes itself, and fails everything behind, when one
/// packet meets an unreachable network or a local filter. A `sendto` of our own costs no more at these rates, tells
/// exactly which probe failed, and leaves exactly when it is stamped.
final class EchoSocket {
    /// What the packets of one socket have in common.
    struct Kind: Sendable, Hashable {
        let family: IPAddress.Family
        let ttl: Int
        let dscp: Int
        var origin: Origin?
    }

    private let descriptor: CInt
    private let channel: any Channel

    private init(descriptor: CInt, channel: any Channel) {
        self.descriptor = descriptor
        self.channel = channel
    }

    /// Opens a socket; `hear` is handed every packet that comes, and `ended` is called when the socket is closed.
    static func open(
        _ kind: Kind,
        on loop: any EventLoop,
        hear: @escaping (ByteBuffer, IPAddress) -> Void,
        batchEnded: @escaping () -> Void,
        ended: @escaping () -> Void
    ) throws(Fault) -> EchoSocket {
        let descriptor = try descriptor(for: kind)
        let handler = NIOLoopBound(EchoHandler(hear: hear, batchEnded: batchEnded), eventLoop: loop)
        let opening = DatagramBootstrap(group: loop)
            .channelOption(.datagramVectorReadMessageCount, value: EchoHandler.packetsPerRead)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: EchoHandler.packetsPerRead * EchoHandler.packetSize)
            )
            // Every read has its own time: a second one in a row would be stamped too early.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .withBoundSocket(descriptor)
        var opened: Result<any Channel, any Error>?
        // On the event loop a bound socket is registered at once.
        opening.assumeIsolated().whenComplete { opened = $0 }
        switch opened {
        case .success(let channel):
            channel.closeFuture.assumeIsolated().whenComplete { _ in ended() }
            return EchoSocket(descriptor: descriptor, channel: channel)
        case .failure(let error):
            throw Fault(.internal, detail: "ICMP socket: \(error)")
        case nil:
            throw Fault(.internal, detail: "ICMP socket: not registered")
        }
    }

    /// Whether it can still send and hear.
    var isOpen: Bool {
        channel.isActive
    }

    /// Sends a packet; the error number says what came of it, zero that it left.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        // A closed channel's descriptor may be another socket's by now.
        guard channel.isActive else { return EBADF }
        let sent = packet.withUnsafeReadableBytes { bytes in
            address.withSocketAddress { sendto(descriptor, bytes.baseAddress, bytes.count, 0, $0, $1) }
        }
        return sent < 0 ? errno : 0
    }

    func close() {
        channel.close(promise: nil)
    }
}
