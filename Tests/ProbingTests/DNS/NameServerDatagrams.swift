import NIOCore

/// What a name server hears and says by UDP.
final class NameServerDatagrams: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let elsewhere: any Channel
    private let answer: @Sendable (NameServer.Question) -> [NameServer.Word]

    init(elsewhere: any Channel, answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Word]) {
        self.elsewhere = elsewhere
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
        for word in answer(question) {
            switch word {
            case .say(let bytes):
                let envelope = AddressedEnvelope(remoteAddress: source, data: ByteBuffer(bytes: bytes))
                context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
            case .sayElsewhere(let bytes):
                let envelope = AddressedEnvelope(remoteAddress: source, data: ByteBuffer(bytes: bytes))
                elsewhere.writeAndFlush(envelope, promise: nil)
            case .hangUp:
                break
            }
        }
    }
}
