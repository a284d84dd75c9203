import LibC
import NIOCore

/// One connection of a ``ScriptedServer``: reads a whole request and does with it what the script says.
final class ScriptedClerk: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let isPatient: Bool
    private let next: @Sendable (String) -> ScriptedServer.Deed
    private let onClose: @Sendable () -> Void
    private var request = ""

    init(
        isPatient: Bool,
        next: @escaping @Sendable (String) -> ScriptedServer.Deed,
        onClose: @escaping @Sendable () -> Void
    ) {
        self.isPatient = isPatient
        self.next = next
        self.onClose = onClose
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        request += String(buffer: unwrapInboundIn(data))
        guard !isPatient || isWhole else { return }
        let whole = request
        request = ""
        perform(next(whole), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Whether the first lines have come, and as much of a body as they promise.
    private var isWhole: Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].lowercased().firstMatch(of: /content-length: *(\d+)/)
            .flatMap { Int($0.1) }
        return request[end.upperBound...].utf8.count >= length ?? 0
    }

    private func perform(_ deed: ScriptedServer.Deed, _ context: ChannelHandlerContext) {
        switch deed {
        case .say(let text):
            say(text, context).whenComplete { _ in context.close(promise: nil) }
        case .hold(let text):
            _ = say(text, context)
        case .endless(let head, let text):
            // In a turn of its own: where each write is done at once, calls would lie in calls without end.
            let loop = context.eventLoop.assumeIsolated()
            say(head, context).whenSuccess { loop.execute { self.perform(.endless(text, text), context) } }
        case .breakOff(let text):
            let channel = context.channel
            say(text, context).whenComplete { _ in
                (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                    .whenComplete { _ in channel.close(promise: nil) }
            }
        }
    }

    private func say(_ text: String, _ context: ChannelHandlerContext) -> EventLoopFuture<Void>.Isolated {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).assumeIsolated()
    }
}

extension String {
    /// A whole answer of a server: `HTTP/1.1 503 Service Unavailable`, its fields and its body.
    public static func answer(_ status: String, _ fields: String..., body: String = "") -> String {
        (["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + fields + ["", body]).joined(separator: "\r\n")
    }
}
