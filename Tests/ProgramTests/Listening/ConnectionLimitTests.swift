import NIOCore
import NIOEmbedded
import ReachSystem
import Testing

@testable import reach

@Suite struct ConnectionLimitTests {
    private let reads = ReadCounter()
    private let limit = ConnectionLimit(2)
    private let server: EmbeddedChannel

    init() throws {
        server = EmbeddedChannel(handlers: [reads, ConnectionLimitHandler(limit: limit)])
    }

    private func accept() throws -> EmbeddedChannel {
        let connection = EmbeddedChannel(loop: server.embeddedEventLoop)
        try connection.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try server.writeInbound(connection)
        settle()
        return connection
    }

    private func settle() {
        server.embeddedEventLoop.run()
    }

    @Test func `a new connection replaces the one that has been idle longest`() throws {
        let connections = try (0..<5).map { _ in try accept() }
        #expect(connections.map(isOpen) == [false, false, false, true, true])
    }

    @Test func `a connection with a request in progress is not replaced, an answered one is`() throws {
        let first = try accept()
        limit.markBusy(first)
        let others = try (0..<3).map { _ in try accept() }
        #expect(isOpen(first) && others.map(isOpen) == [false, false, true])
        limit.markIdle(first)
        let last = try (0..<2).map { _ in try accept() }
        #expect(!isOpen(first) && others.map(isOpen) == [false, false, false] && last.map(isOpen) == [true, true])
    }

    @Test func `no connection is accepted while each has a request in progress`() throws {
        let connections = try (0..<2).map { _ in try accept() }
        connections.forEach(limit.markBusy)
        let before = reads.count
        server.read()
        #expect(reads.count == before)
        _ = try connections[0].finish()
        settle()
        #expect(reads.count == before + 1)
        server.read()
        #expect(reads.count == before + 2)

        limit.markBusy(try accept())
        server.read()
        #expect(reads.count == before + 2)
        limit.markIdle(connections[1])
        #expect(reads.count == before + 3)
    }

    @Test func `a closed connection no longer counts`() throws {
        let connections = try (0..<2).map { _ in try accept() }
        _ = try connections[0].finish()
        settle()
        let last = try accept()
        #expect(isOpen(connections[1]) && isOpen(last))
    }

    @Test func `a connection that was aborted before the accept is not an error`() throws {
        server.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
        try server.throwIfErrorCaught()
        server.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
        #expect(throws: IOError.self) { try server.throwIfErrorCaught() }
    }

    private func isOpen(_ connection: EmbeddedChannel) -> Bool { connection.isActive }
}

/// Counts the reads that reach the socket.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
