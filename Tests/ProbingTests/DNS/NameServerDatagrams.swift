import NIOCore

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
