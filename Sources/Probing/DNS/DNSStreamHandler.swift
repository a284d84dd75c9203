import LibC
import NIOCore
import NIOPosix

/// A channel handler for a query and its answer on a TCP connection, each with a two-byte length prefix (RFC 1035
/// §4.2.2).
final class DNSStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let receive: ([UInt8]) -> Void
    private let fail: (any Error) -> Void
    private var buffer = ByteBuffer()

    init(query: [UInt8], receive: @escaping ([UInt8]) -> Void, fail: @escaping (any Error) -> Void) {
        self.query = query
        self.receive = receive
        self.fail = fail
    }

    /// Connects to a server. Calls `opened` with the channel before any other callback.
    func connect(to server: DNSServer, on loop: any EventLoop, opened: @escaping (any Channel) -> Void) {
        let bound = NIOLoopBound((handler: self, opened: opened), eventLoop: loop)
        ClientBootstrap(group: loop)
            .leaving(from: server.origin, toward: server.address)
            // The prober has its own deadlines.
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
        // A message has at most 64 KiB. Bytes after it are ignored.
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) else { return }
        guard let message = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length)) else { return }
        receive(message)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }
}
