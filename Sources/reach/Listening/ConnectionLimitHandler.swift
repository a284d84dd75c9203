import LibC
import NIOCore

/// Limits the number of connections of a server channel.
///
/// At the limit, a new connection replaces the one that has been idle longest, so that slow clients do not block others.
/// While each connection has a request in progress, none is accepted: clients wait in the kernel's queue. A request may
/// begin between the last check and the accept, so the limit can be exceeded by one connection.
final class ConnectionLimitHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    /// The number of open connections.
    private(set) var count = 0
    /// The connections without a request in progress, the oldest first.
    private var idle: [any Channel] = []
    private var context: ChannelHandlerContext?
    private var isReadPending = false

    init(limit: Int) {
        self.limit = limit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        isReadPending = count >= limit && idle.isEmpty
        if !isReadPending { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        if count >= limit, !idle.isEmpty { idle.removeFirst().close(promise: nil) }
        count += 1
        idle.append(connection)
        connection.closeFuture.assumeIsolated().whenComplete { _ in
            self.count -= 1
            self.protect(connection)
            self.resumeReading()
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO pauses accepting after an error. That is right for a lack of descriptors, not for a client that disconnects early.
        guard (error as? IOError)?.errnoCode != ECONNABORTED else { return }
        context.fireErrorCaught(error)
    }

    /// Marks a connection as having a request in progress, so that it is not replaced.
    func protect(_ connection: any Channel) {
        idle.removeAll { $0 === connection }
    }

    /// Marks a connection as idle: its request has been answered, and it may be replaced.
    func release(_ connection: any Channel) {
        idle.append(connection)
        resumeReading()
    }

    private func resumeReading() {
        guard isReadPending, let context else { return }
        read(context: context)
    }
}
