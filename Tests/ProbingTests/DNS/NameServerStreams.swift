import NIOCore

/// The TCP side of ``NameServer``.
final class NameServerStreams: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (NameServer.Question) -> [NameServer.Action]
    private var buffer = ByteBuffer()

    init(answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Action]) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard
            let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
            let query = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length)),
            let source = context.remoteAddress
        else { return }
        let port = UInt16(context.localAddress?.port ?? 0)
        for action in answer(NameServer.Question(query: query, isStream: true, source: source, port: port)) {
            switch action {
            case .send(let bytes), .sendFromOtherPort(let bytes):
                let length = [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
                // In two pieces: a reader must not expect one message per read.
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: length + bytes.prefix(5))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes.dropFirst(5))), promise: nil)
            case .close:
                context.close(promise: nil)
            }
        }
    }
}
