#if Fetch
import NIOCore

/// A channel handler that passes on datagrams and errors.
final class DNSModuleDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: ([UInt8]) -> Void
    private let fail: (any Error) -> Void

    init(receive: @escaping ([UInt8]) -> Void, fail: @escaping (any Error) -> Void) {
        self.receive = receive
        self.fail = fail
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }
}
#endif
