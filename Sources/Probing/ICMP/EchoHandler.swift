import NIOCore

/// Hands on what an ICMP socket reads.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    static let packetsPerRead = 64
    /// Enough for an IPv4 header, ours, and the cookie; nobody needs the rest of a large payload.
    static let packetSize = 256
    /// The longest packet, in bytes.
    static let longestPacket = 65_535

    private let hear: (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void
    private let batchEnded: () -> Void

    init(
        hear: @escaping (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void,
        batchEnded: @escaping () -> Void
    ) {
        self.hear = hear
        self.batchEnded = batchEnded
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let source = IPAddress(envelope.remoteAddress) else { return }
        envelope.data.withUnsafeReadableBytes { hear($0, source, nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        batchEnded()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What the kernel says about one packet is no reason to stop listening; should the channel close over it,
        // the next probe opens another.
    }
}
