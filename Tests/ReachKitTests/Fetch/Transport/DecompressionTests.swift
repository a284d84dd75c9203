import Foundation
import NIOCore
import NIOPosix
import ReachKit
import Synchronization
import TestSupport
import Testing

/// Bodies that the server compresses.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct DecompressionTests {
    /// The text `fine` as gzip.
    private static let compressed = Data(base64Encoded: "H4sIAAAAAAACA0vLzEsFAJJUqb4EAAAA") ?? Data()

    /// Answers each request with the compressed text.
    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let length = DecompressionTests.compressed.count
            var response = ByteBuffer(
                string: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(length)\r\n\r\n"
            )
            response.writeBytes(DecompressionTests.compressed)
            context.writeAndFlush(wrapOutboundOut(response), promise: nil)
        }
    }

    @Test(arguments: [false, true])
    func `a compressed body is decompressed only by request`(_ isDecompressed: Bool) async throws {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Responder())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        var request = Fetch.Request("http://127.0.0.1:\(server.localAddress?.port ?? 0)/")
        request.isDecompressed = isDecompressed
        let lengths = Mutex<[Int64?]>([])
        let body = try await fetch.data(from: request) { event in
            if case .receiving(let length) = event { lengths.withLock { $0.append(length) } }
        }
        #expect(body == (isDecompressed ? Data("fine".utf8) : Self.compressed))
        #expect(lengths.withLock(\.self) == [isDecompressed ? nil : Int64(Self.compressed.count)])
        await fetch.shutdown()
        try await server.close()
    }
}
