import NIOCore

/// A handler that passes on the packets of an ICMP socket.
final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    static let packetsPerRead = 64
    /// The number of bytes read of a packet: an IPv4 header, the ICMP header and the cookie. The rest of a large
    /// payload is not needed.
    static let packetSize = 256
    /// The longest packet, in bytes.
    static let longestPacket = 65_535

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
