#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// Adds a handler after the encoder of requests, to each connection of a client by HTTP/1.1. It gets requests before the
    /// handlers that were added earlier, and the bytes of the server after them.
    mutating func addHandlerAfterEncoder(_ make: @escaping @Sendable () -> some ChannelHandler) {
        addHandler(after: { try $0.handler(type: HTTPRequestEncoder.self) }, make)
    }

    /// Adds a handler after the decoder of responses, to each connection of a client by HTTP/1.1.
    mutating func addHandlerAfterDecoder(_ make: @escaping @Sendable () -> some ChannelHandler) {
        addHandler(after: { try $0.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self) }, make)
    }

    private mutating func addHandler(
        after other: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> some ChannelHandler,
        _ make: @escaping @Sendable () -> some ChannelHandler
    ) {
        let next = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(make(), position: .after(other(pipeline)))
            }.flatMap { next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }
}
#endif
