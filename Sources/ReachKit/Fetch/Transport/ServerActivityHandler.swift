#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Restarts the deadline of an exchange with each byte of the server. The client reports the head of a response only when
/// it is complete, and interim responses not at all.
///
/// A connection serves several exchanges. Each request names its deadline in a header field, which is not sent.
final class ServerActivityHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let deadlines: RunningDeadlines
    private var deadline: Deadline?

    private init(_ deadlines: RunningDeadlines) {
        self.deadlines = deadlines
    }

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration, _ deadlines: RunningDeadlines) {
        configuration.addHandlerAfterEncoder { ServerActivityHandler(deadlines) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        deadline = head.headers.first(name: RunningDeadlines.field).flatMap { deadlines[$0] }
        head.headers.remove(name: RunningDeadlines.field)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline?.receive()
        context.fireChannelRead(data)
    }
}

/// The deadlines of the exchanges under way, by the values of the header field that names them.
final class RunningDeadlines: Sendable {
    /// The name of the header field, which no request has already.
    static let field = "Reach-Deadline-\(String(UInt64.random(in: .min ... .max), radix: 36))"

    private struct State {
        var deadlines: [String: Deadline] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    subscript(name: String) -> Deadline? { state.withLock { $0.deadlines[name] } }

    /// Adds a deadline.
    ///
    /// - Returns: The value of the header field that names it.
    func add(_ deadline: Deadline) -> String {
        state.withLock { state in
            state.count += 1
            state.deadlines["\(state.count)"] = deadline
            return "\(state.count)"
        }
    }

    func remove(_ name: String) {
        state.withLock { _ = $0.deadlines.removeValue(forKey: name) }
    }
}
#endif
