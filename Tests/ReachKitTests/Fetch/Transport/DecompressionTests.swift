import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

/// Bodies that the server compresses.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct DecompressionTests {
    /// The text `fine` as gzip.
    private static let compressed = Data(base64Encoded: "H4sIAAAAAAACA0vLzEsFAJJUqb4EAAAA") ?? Data()

    /// Answers each request with the same bytes.
    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let response: ByteBuffer

        init(_ response: ByteBuffer) {
            self.response = response
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(response), promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    private final class Server: Sendable {
        let channel: any Channel
        private let connections: Counter

        /// The number of connections so far: each try after an error has a new one.
        var connectionCount: Int { connections.count.withLock(\.self) }
        var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/" }

        /// A server with a compressed body.
        ///
        /// - Parameters:
        ///   - fields: the codings, and further fields.
        ///   - length: the value of the field `Content-Length`; by default, that of the body.
        static func on(
            _ body: Data,
            _ fields: String = "Content-Encoding: gzip",
            status: String = "200 OK",
            isChunked: Bool = false,
            length: Int? = nil
        ) async throws -> Server {
            let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(length ?? body.count)"
            var response = ByteBuffer(string: "HTTP/1.1 \(status)\r\n\(fields)\r\n\(framing)\r\n\r\n")
            response.writeBytes(body)
            if isChunked { response.writeString("0\r\n\r\n") }
            return try await Server(response)
        }

        private init(_ response: ByteBuffer) async throws {
            let connections = Counter()
            self.connections = connections
            channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    connections.count.withLock { $0 += 1 }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Responder(response))
                    }
                }
                .bind(host: "127.0.0.1", port: 0)
                .get()
        }
    }

    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])

    private func request(_ server: Server, method: String = "GET") -> Fetch.Request {
        var request = Fetch.Request(server.url, method: method)
        request.isDecompressed = true
        return request
    }

    @Test(arguments: [false, true])
    func `a compressed body is decompressed only by request`(_ isDecompressed: Bool) async throws {
        let server = try await Server.on(Self.compressed)
        var request = request(server)
        request.isDecompressed = isDecompressed
        let lengths = Mutex<[Int64?]>([])
        let body = try await fetch.data(from: request) { event in
            if case .receiving(let length) = event { lengths.withLock { $0.append(length) } }
        }
        #expect(body == (isDecompressed ? Data("fine".utf8) : Self.compressed))
        #expect(lengths.withLock(\.self) == [isDecompressed ? nil : Int64(Self.compressed.count)])
        await fetch.shutdown()
        try await server.channel.close()
    }

    @Test(arguments: ["GET", "HEAD"], ["gzip", "deflate", "br", "gzip, gzip"])
    func `an empty body is empty in any coding`(_ method: String, _ coding: String) async throws {
        let server = try await Server.on(Data(), "Content-Encoding: \(coding)", length: method == "HEAD" ? 24 : 0)
        let response = try await fetch.response(to: request(server, method: method), maximumRetries: 0)
        #expect(response.body.isEmpty && response.ending == .whole)
        #expect(response.headers[.contentEncoding] == coding)
        for try await piece in try await fetch.stream(from: request(server, method: method)) {
            Issue.record("\(piece)")
        }
        try await server.channel.close()
    }

    @Test func `an empty body in chunks is empty`() async throws {
        let server = try await Server.on(Data(), isChunked: true)
        #expect(try await fetch.data(from: request(server), maximumRetries: 0).isEmpty)
        try await server.channel.close()
    }

    @Test(
        arguments: [
            ("gzip", Data("no gzip".utf8), "the body is not valid gzip or deflate data"),
            ("gzip", compressed.prefix(12) + Data("junk, junk".utf8), "the body is not valid gzip or deflate data"),
            ("gzip", compressed + Data("junk".utf8), "the body is not valid gzip or deflate data"),
            ("gzip, gzip", compressed, "the body is compressed (gzip, gzip)"),
            ("gzip, br", compressed, "the body is compressed (gzip, br)"),
            ("identity, gzip", compressed, "the body is compressed (identity, gzip)"),
            ("br", compressed, "the body is compressed (br)"),
        ]
    )
    func `a body that cannot be decompressed is incomplete, and is not retried`(
        _ coding: String,
        _ body: Data,
        _ detail: String
    ) async throws {
        let server = try await Server.on(body, "Content-Encoding: \(coding)")
        let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: request(server)) }
        guard case .incomplete(let response) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.ending == .lost(Fetch.TransportError(.protocolError, detail: detail)))
        #expect(server.connectionCount == 1)
        try await server.channel.close()
    }

    @Test func `a compressed body that ends early is retried`() async throws {
        let server = try await Server.on(Self.compressed.dropLast(9))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: request(server), maximumRetries: 1)
        }
        #expect(error?.description == "given up after 2 tries: connection lost in the body")
        try await server.channel.close()
    }

    @Test func `the coding of an error's body does not change whether it is retried`() async throws {
        let server = try await Server.on(Self.compressed, "Content-Encoding: br", status: "503 Busy")
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: request(server), maximumRetries: 1)
        }
        #expect(error?.response?.status == 503)
        guard case .retriesExhausted(_, tries: 2) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        try await server.channel.close()
    }

    /// Drops the bytes of a body.
    private struct DroppingSink: BodySink {
        let committedBytes: Int64 = 0

        func begin(with head: Fetch.Response?) {}
        func write(_ piece: [UInt8]) {}
        func finish() {}
        func discard() {}
    }

    @Test func `a body that is too long when it is decompressed is an error, and is not retried`() async throws {
        let header = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0xFF, 0xFF])
        // 64 KiB of zeros, up to a whole byte.
        let zeros =
            Data([0xEC, 0xC1, 1, 1, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 8, 0x0A])
            + Data(count: 63) + Data([0x6A, 0, 0, 0, 0xFF, 0xFF])
        var body = header
        for _ in 0...4_096 { body += zeros }
        let server = try await Server.on(body)
        let record = await FetchRecord(request(server), into: DroppingSink())
        #expect(record.error == .tooLong(limit: 256 * 1_024 * 1_024))
        #expect(record.tries == 1)
        try await server.channel.close()
    }
}
