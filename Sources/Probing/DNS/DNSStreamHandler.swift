import LibC
import NIOCore
import NIOPosix

/// A query and its answer on a TCP connection, each behind its length in two bytes (RFC 1035 §4.2.2).
final class DNSStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let hear: ([UInt8]) -> Void
    private let fail: (any Error) -> Void
    private var heard = ByteBuffer()

    init(query: [UInt8], hear: @escaping ([UInt8]) -> Void, fail: @escaping (any Error) -> Void) {
        self.query = query
        self.hear = hear
        self.fail = fail
    }

    /// Connects; `opened` is handed the channel before anything comes of it.
    func connect(to server: DNSServer, on loop: any EventLoop, opened: @escaping (any Channel) -> Void) {
        let bound = NIOLoopBound((handler: self, opened: opened), eventLoop: loop)
        ClientBootstrap(group: loop)
            .leaving(from: server.origin, toward: server.address)
            // The deadlines are the prober's.
            .connectTimeout(.hours(1))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    bound.value.opened(channel)
                    try channel.pipeline.syncOperations.addHandler(bound.value.handler)
                }
            }
            .connect(to: server.address.socketAddress(port: server.port))
            .assumeIsolated()
            .whenFailure { [fail] in fail($0) }
    }

    func channelActive(context: ChannelHandlerContext) {
        guard !context.channel.isConnectedToItself else {
            return fail(IOError(errnoCode: ECONNREFUSED, reason: "connected to itself"))
        }
        let message = ByteBuffer(bytes: UInt16(query.count).inNetworkOrder + query)
        context.writeAndFlush(wrapOutboundOut(message), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A message has 64 KiB at the most; what comes in one read behind it is not kept.
        heard.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = heard.getInteger(at: heard.readerIndex, as: UInt16.self) else { return }
        guard let message = heard.getBytes(at: heard.readerIndex + 2, length: Int(length)) else { return }
        hear(message)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }
}
