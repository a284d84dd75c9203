#if Fetch

import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Passes an empty compressed body on as the compression of nothing. Otherwise the client's decompressor reports that it
/// ends too early, as for the response to a HEAD.
final class EmptyBodyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// No bytes, as gzip, which the decompressor accepts for deflate too.
    private static let emptyMember: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    /// Whether the response is one that the decompressor expects a body of, and no byte of it was received.
    private var isMissingBody = false

    /// Adds a handler to each connection of a client that decompresses.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterDecoder { EmptyBodyHandler() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // The decompressor considers the first coding only.
            let coding = head.headers[canonicalForm: "Content-Encoding"].first?.lowercased()
            isMissingBody = coding == "gzip" || coding == "deflate"
        case .body(let bytes):
            if bytes.readableBytes > 0 { isMissingBody = false }
        case .end:
            if isMissingBody { context.fireChannelRead(wrapInboundOut(.body(ByteBuffer(bytes: Self.emptyMember)))) }
            isMissingBody = false
        }
        context.fireChannelRead(data)
    }
}

#endif
