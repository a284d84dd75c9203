#if Fetch
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Reports a response whose status is below 100 (RFC 9110 §15) as an error, and drops it. The client takes such a
/// status for an interim response, which has no body, and traps when a body follows.
final class ResponseStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isInvalid = false

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterDecoder { ResponseStatusHandler() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isInvalid = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        }
        // The error closes the connection. What is left of the response must not reach the client.
        if !isInvalid { context.fireChannelRead(data) }
    }
}
#endif
