import Monitoring
import NIOCore

/// A channel handler that has the conversation with a database server on an open connection.
final class DatabaseExchange: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The result of an exchange.
    enum Event {
        /// The server accepts clients; the detail is shown beside the health.
        case accepted(detail: String?)
        /// The exchange ended without that.
        case failed(Failure)
        /// This program cannot do what the server demands.
        case refused(Fault)
    }

    private let gate: LoopGate
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private let report: (Event) -> Void
    private var conversation: any DatabaseConversation
    private var context: ChannelHandlerContext?
    private var hasReceived = false
    private var isOver = false

    /// - Parameter report: called once, with the result.
    init(
        _ conversation: any DatabaseConversation,
        gate: LoopGate,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration,
        report: @escaping (Event) -> Void
    ) {
        self.conversation = conversation
        self.gate = gate
        self.stopwatch = stopwatch
        self.time = time
        self.report = report
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        stopwatch.resume(at: time())
        send(conversation.opening, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        hasReceived = true
        perform(conversation.receive(Array(buffer: unwrapInboundIn(data))), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let detail = hasReceived ? "closed in the middle of the login" : "closed without an answer"
        end(.failed(Failure(.closed, detail: detail)))
        context.fireChannelInactive()
    }

    private func perform(_ actions: [DatabaseAction], _ context: ChannelHandlerContext) {
        for action in actions where !isOver {
            switch action {
            case .send(let bytes):
                send(bytes, context)
            case .derive(let key):
                derive(key)
            case .succeed(let detail, let farewell):
                stopwatch.end(.processing, at: time())
                send(farewell, context)
                end(.accepted(detail: detail))
            case .fail(let failure):
                end(.failed(failure))
            case .refuse(let fault):
                end(.refused(fault))
            }
        }
    }

    /// Derives a key off the event loop. This time is not the server's, so the stopwatch pauses.
    private func derive(_ key: PasswordKey) {
        stopwatch.end(.processing, at: time())
        let gate = gate
        let bound = NIOLoopBound(self, eventLoop: gate.loop)
        Task.detached {
            let derived = key.derived()
            gate.enter { bound.value.receive(key: derived) }
        }
    }

    private func receive(key: [UInt8]) {
        guard !isOver, let context else { return }
        stopwatch.resume(at: time())
        perform(conversation.receive(key: key), context)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    private func end(_ event: Event) {
        guard !isOver else { return }
        isOver = true
        report(event)
    }
}
