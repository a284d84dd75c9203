#if Fetch
import NIOCore

/// A channel handler that passes on the first message of a stream, after its two-byte length (RFC 1035 §4.2.2).
final class DNSModuleStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receive: ([UInt8]) -> Void
    private var buffer = ByteBuffer()

    init(receive: @escaping ([UInt8]) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
            let message = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length))
        else { return }
        receive(message)
    }
}
#endif
