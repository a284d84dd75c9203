import NIOCore

/// Hears of writes that fail: SwiftNIO tells nobody else that a connection was broken off while we spoke.
final class WriteWatch: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let failed: (IOError) -> Void

    init(failed: @escaping (IOError) -> Void) {
        self.failed = failed
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenFailure { [failed] error in
            if let error = error as? IOError { failed(error) }
        }
        context.write(data, promise: promise)
    }
}
