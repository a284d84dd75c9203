import NIOCore
import ReachSystem
import Synchronization

/// The limit of a server's connections, which are on several event loops.
///
/// At the limit, a new connection replaces the one that has been idle longest, so that slow clients do not block others.
/// While each connection has a request in progress, none is accepted: clients wait in the kernel's queue. A request may
/// begin between the last check and the accept, so the limit can be exceeded by one connection.
final class ConnectionLimit: Sendable {
    private let limit: Int
    private let state = Mutex(State())

    private struct State {
        /// The number of open connections.
        var count = 0
        /// The connections without a request in progress, the oldest first.
        var idle: [any Channel] = []
        /// Accepts again; nil unless that waits for a connection.
        var resume: (@Sendable () -> Void)?
    }

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Returns whether a connection may be accepted. If not, `resume` is called when one may be, on any event loop.
    func admits(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            let isFull = state.count >= limit && state.idle.isEmpty
            state.resume = isFull ? resume : nil
            return !isFull
        }
    }

    /// Adds a connection until it is closed.
    func add(_ connection: any Channel) {
        let replaced: (any Channel)? = state.withLock { state in
            let replaced = state.count >= limit && !state.idle.isEmpty ? state.idle.removeFirst() : nil
            state.count += 1
            state.idle.append(connection)
            return replaced
        }
        replaced?.close(promise: nil)
        connection.closeFuture.whenComplete { _ in
            self.change { state in
                state.count -= 1
                state.idle.removeAll { $0 === connection }
            }
        }
    }

    /// Marks a connection as having a request in progress, so that it is not replaced.
    func markBusy(_ connection: any Channel) {
        state.withLock { state in state.idle.removeAll { $0 === connection } }
    }

    /// Marks a connection as idle: its request has been answered, and it may be replaced.
    func markIdle(_ connection: any Channel) {
        change { $0.idle.append(connection) }
    }

    /// Changes the state, and then accepts again if that waits.
    private func change(_ change: (inout State) -> Void) {
        let resume = state.withLock { state in
            change(&state)
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }
}

/// Accepts the connections of a server channel that a limit admits.
final class ConnectionLimitHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: ConnectionLimit
    private var context: ChannelHandlerContext?

    init(limit: ConnectionLimit) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        let (loop, bound) = (context.eventLoop, NIOLoopBound(self, eventLoop: context.eventLoop))
        let resume: @Sendable () -> Void = {
            let handler = bound.value
            if let context = handler.context { handler.read(context: context) }
        }
        if limit.admits(orElse: { loop.inEventLoop ? resume() : loop.execute(resume) }) { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        limit.add(unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO pauses accepting after an error. That is right for a lack of descriptors, not for a client that disconnects early.
        guard (error as? IOError)?.errnoCode != ECONNABORTED else { return }
        context.fireErrorCaught(error)
    }
}
