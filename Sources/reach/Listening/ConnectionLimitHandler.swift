import LibC
import NIOCore

/// Limits the number of connections of a server channel.
///
/// At the limit, a new connection replaces the one that has waited longest without a request under way, so that slow
/// clients do not block others. While each connection has a request under way, none is accepted: clients wait in the
/// kernel's queue. A request may begin between the last check and the accept; so there can be one connection more.
final class ConnectionLimitHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let limit: Int
    /// The number of open connections.
    private(set) var count = 0
    /// The connections without a request under way, the oldest first.
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
        // A client that disconnects before it is accepted is no reason to pause, as a lack of descriptors is.
        guard (error as? IOError)?.errnoCode != ECONNABORTED else { return }
        context.fireErrorCaught(error)
    }

    /// Keeps a connection from being replaced: it has a request under way.
    func protect(_ connection: any Channel) {
        idle.removeAll { $0 === connection }
    }

    /// Lets a connection be replaced again: its request has been answered.
    func release(_ connection: any Channel) {
        idle.append(connection)
        resumeReading()
    }

    private func resumeReading() {
        guard isReadPending, let context else { return }
        read(context: context)
    }
}
