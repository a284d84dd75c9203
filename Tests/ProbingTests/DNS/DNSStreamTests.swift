import LibC
import NIOCore
import NIOEmbedded
import Testing

@testable import Probing

/// Answers by TCP in every division, and servers whose length prefix is wrong.
struct DNSStreamTests {
    /// The messages and the number of failures after a server has sent these pieces.
    private func result(
        of pieces: [[UInt8]],
        isClosed: Bool = false
    ) throws -> (messages: [[UInt8]], failures: Int, query: [UInt8]) {
        var messages: [[UInt8]] = []
        var failures = 0
        let handler = DNSStreamHandler(
            query: [1, 2, 3],
            receive: { messages.append($0) },
            fail: { _ in failures += 1 }
        )
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 53)).wait()
        let query = try channel.readOutbound(as: ByteBuffer.self).map { Array(buffer: $0) } ?? []
        for piece in pieces where messages.isEmpty { try channel.writeInbound(ByteBuffer(bytes: piece)) }
        if isClosed { channel.pipeline.fireChannelInactive() }
        let result = (messages, failures, query)
        _ = try channel.finish(acceptAlreadyClosed: true)
        return result
    }

    @Test func `the query has its length in front`() throws {
        #expect(try result(of: []).query == [0, 3, 1, 2, 3])
    }

    @Test(arguments: [
        [[0, 3, 7, 8, 9]], [[0], [3], [7], [8], [9]], [[0, 3], [7, 8, 9]], [[0, 3, 7], [8, 9]],
        [[0, 3, 7, 8, 9, 0, 1]],
    ])
    func `an answer may come in any pieces`(pieces: [[UInt8]]) throws {
        #expect(try result(of: pieces).messages == [[7, 8, 9]])
    }

    @Test func `a length that is too large is an answer that does not end`() throws {
        let open = try result(of: [[0xFF, 0xFF, 7, 8, 9]])
        #expect(open.messages.isEmpty && open.failures == 0)
        let closed = try result(of: [[0xFF, 0xFF, 7, 8, 9]], isClosed: true)
        #expect(closed.messages.isEmpty && closed.failures == 1)
    }

    @Test func `a length that is too small cuts the answer off`() throws {
        #expect(try result(of: [[0, 1, 7, 8, 9]]).messages == [[7]])
        #expect(try result(of: [[0, 0, 7, 8, 9]]).messages == [[]])
    }
}
