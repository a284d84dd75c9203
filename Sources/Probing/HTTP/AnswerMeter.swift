import Monitoring
import NIOCore

/// Notes when an answer begins, and stops one that is longer than any answer needs to be: what is read before the body
/// begins, and what frames the body, is not part of any other limit.
final class AnswerMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The most that may come before the body.
    static let longestHead = 81_920
    /// The most that may come at all; a body in chunks of a byte each needs six times its length.
    static let longest = 8 * HTTPOptions.longestBody

    /// Whether the body has begun.
    var isPastHead = false
    private var count = 0
    private let began: () -> Void
    private let exceeded: (Failure) -> Void

    init(began: @escaping () -> Void, exceeded: @escaping (Failure) -> Void) {
        self.began = began
        self.exceeded = exceeded
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if count == 0 { began() }
        count += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if count > (isPastHead ? Self.longest : Self.longestHead) {
            exceeded(Failure(.protocolError, detail: isPastHead ? "too much around the body" : "headers without end"))
        }
    }
}
