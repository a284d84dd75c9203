import Monitoring
import NIOCore

/// A channel handler that negotiates STARTTLS, then adds the TLS handler and removes itself.
final class StartTLSHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var negotiation: StartTLSNegotiation
    private let startTLS: (ChannelPipeline.SynchronousOperations) throws -> Void
    private let failed: (Failure) -> Void

    /// - Parameters:
    ///   - secure: adds the TLS handler to the pipeline, right after this handler.
    ///   - failed: called if the negotiation fails.
    init(
        _ applicationProtocol: TLSOptions.StartTLS,
        secure startTLS: @escaping (ChannelPipeline.SynchronousOperations) throws -> Void,
        failed: @escaping (Failure) -> Void
    ) {
        negotiation = StartTLSNegotiation(applicationProtocol)
        self.startTLS = startTLS
        self.failed = failed
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let opening = negotiation.opening { send(opening, context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for action in negotiation.receive(unwrapInboundIn(data).readableBytesView) {
            switch action {
            case .wait:
                break
            case .send(let bytes):
                send(bytes, context)
            case .begin:
                let pipeline = context.pipeline.syncOperations
                do {
                    try startTLS(pipeline)
                } catch {
                    context.fireErrorCaught(error)
                }
                pipeline.removeHandler(context: context, promise: nil)
            case .fail(let failure):
                failed(failure)
            }
        }
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
