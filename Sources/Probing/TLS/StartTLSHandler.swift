import Monitoring
import NIOCore

/// Speaks in clear until the server agrees to TLS, and then makes way for it.
final class StartTLSHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: StartTLSDialogue
    private let secure: (ChannelPipeline.SynchronousOperations) throws -> Void
    private let failed: (Failure) -> Void

    /// - Parameters:
    ///   - secure: adds TLS to the pipeline, right after this handler.
    ///   - failed: it will not come to a handshake.
    init(
        _ language: TLSOptions.StartTLS,
        secure: @escaping (ChannelPipeline.SynchronousOperations) throws -> Void,
        failed: @escaping (Failure) -> Void
    ) {
        dialogue = StartTLSDialogue(language)
        self.secure = secure
        self.failed = failed
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if let opening = dialogue.opening { say(opening, context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for step in dialogue.hear(unwrapInboundIn(data).readableBytesView) {
            switch step {
            case .wait:
                break
            case .send(let bytes):
                say(bytes, context)
            case .begin:
                let pipeline = context.pipeline.syncOperations
                do {
                    try secure(pipeline)
                } catch {
                    context.fireErrorCaught(error)
                }
                pipeline.removeHandler(context: context, promise: nil)
            case .fail(let failure):
                failed(failure)
            }
        }
    }

    private func say(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }
}
