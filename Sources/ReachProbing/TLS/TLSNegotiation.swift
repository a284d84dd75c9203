import NIOCore
import ReachMonitoring

/// The negotiation in clear before a connection starts TLS, as a state machine: bytes go in, actions come out.
protocol TLSNegotiation {
    typealias Action = TLSNegotiationAction

    /// The bytes to send on connecting; nil where the server sends first.
    var opening: [UInt8]? { get }
    /// Handles received bytes, and returns the actions in order.
    mutating func receive(_ bytes: ByteBufferView) -> [Action]
}

/// An action of a negotiation before TLS.
enum TLSNegotiationAction: Equatable {
    /// Wait for more bytes.
    case wait
    /// Send these bytes.
    case send([UInt8])
    /// Start the TLS handshake.
    case begin
    /// End with this failure.
    case fail(Failure)
}

/// A channel handler that negotiates in clear, then adds the TLS handler and removes itself.
final class TLSNegotiationHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var negotiation: any TLSNegotiation
    private let startTLS: (ChannelPipeline.SynchronousOperations) throws -> Void
    private let failed: (Failure) -> Void

    /// - Parameters:
    ///   - secure: adds the TLS handler to the pipeline, right after this handler.
    ///   - failed: called if the negotiation fails.
    init(
        _ negotiation: any TLSNegotiation,
        secure startTLS: @escaping (ChannelPipeline.SynchronousOperations) throws -> Void,
        failed: @escaping (Failure) -> Void
    ) {
        self.negotiation = negotiation
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
