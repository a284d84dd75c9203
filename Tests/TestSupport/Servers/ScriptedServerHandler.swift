import LibC
import NIOCore

/// The handler of one connection of a ``ScriptedServer``: reads a whole request and performs the next step of the
/// script.
final class ScriptedServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let waitsForWholeRequest: Bool
    private let next: @Sendable (String) -> ScriptedServer.Action
    private let onClose: @Sendable () -> Void
    private var request = ""

    init(
        waitsForWholeRequest: Bool,
        next: @escaping @Sendable (String) -> ScriptedServer.Action,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.waitsForWholeRequest = waitsForWholeRequest
        self.next = next
        self.onClose = onClose
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard !waitsForWholeRequest || isComplete else { return }
        let whole = request
        request = ""
        perform(next(whole), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Whether the header and the body, as long as `Content-Length`, have arrived.
    private var isComplete: Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].lowercased().firstMatch(of: /content-length: *(\d+)/)
            .flatMap { Int($0.1) }
        return request[end.upperBound...].utf8.count >= length ?? 0
    }

    private func perform(_ deed: ScriptedServer.Action, _ context: ChannelHandlerContext) {
        switch deed {
        case .say(let text):
            send(text, context).whenComplete { _ in context.close(promise: nil) }
        case .hold(let text):
            _ = send(text, context)
        case .endless(let head, let text):
            send(head, context).whenSuccess { context.sendRepeatedly(text) }
        case .breakOff(let text):
            let channel = context.channel
            send(text, context).whenComplete { _ in
                (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    .whenComplete { _ in channel.close(promise: nil) }
            }
        }
    }

    private func send(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void>.Isolated {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).assumeIsolated()
    }
}

extension String {
    /// A complete HTTP response: `HTTP/1.1 503 Service Unavailable`, its header fields and its body.
    public static func answer(_ status: String, _ fields: String..., body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]).joined(separator: "\r\n")
    }
}
