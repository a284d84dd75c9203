import NIOCore

/// A handler that reports failed writes. SwiftNIO reports a connection that breaks during a write only to the promise.
final class WriteErrorHandler: ChannelOutboundHandler {
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
