import NIOCore

/// What a name server hears and says on a TCP connection.
final class NameServerStreams: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (NameServer.Question) -> [NameServer.Word]
    private var heard = ByteBuffer()

    init(answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Word]) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard.writeImmutableBuffer(unwrapInboundIn(data))
        guard
            let length = heard.getInteger(at: heard.readerIndex, as: UInt16.self),
            let query = heard.getBytes(at: heard.readerIndex + 2, length: Int(length)),
            let source = context.remoteAddress
        else { return }
        let port = UInt16(context.localAddress?.port ?? 0)
        for word in answer(NameServer.Question(query: query, isStream: true, source: source, port: port)) {
            switch word {
            case .say(let bytes), .sayElsewhere(let bytes):
                let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
                // In two pieces: a reader that takes one read for one message is found out.
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: length + bytes.prefix(5))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes.dropFirst(5))), promise: nil)
            case .hangUp:
                context.close(promise: nil)
            }
        }
    }
}
