import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct KeptConnectionTests {
    private func keptConnection(holding writes: HeldWrites? = nil) async throws -> NIOAsyncTestingChannel {
        try await NIOAsyncTestingChannel.connected(holding: writes) { request in
            var response = HTTPResponse(text: request.path)
            response.keepsConnection = true
            return response
        }
    }

    @Test func `a kept connection answers one request after the other, and closes after two minutes`() async throws {
        let channel = try await keptConnection()
        for path in ["/one", "/two", "/three"] {
            let request = "GET \(path) HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab"
            let text = try await channel.response(to: request, endingWith: "\r\n\r\n\(path)")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && !text.contains("Connection: close"), "\(text)")
            await channel.testingEventLoop.advanceTime(by: .seconds(110))
            #expect(channel.isActive)
        }
        await channel.testingEventLoop.advanceTime(by: .seconds(11))
        #expect(!channel.isActive)
    }

    @Test func `a connection closes two minutes after its last answer, however many came before`() async throws {
        let channel = try await keptConnection()
        for path in (1...20).map({ "/\($0)" }) {
            _ = try await channel.response(to: "GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n", endingWith: path)
            await channel.testingEventLoop.advanceTime(by: .seconds(7))
        }
        await channel.testingEventLoop.advanceTime(by: .seconds(112))
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `on a kept connection, too, a client has ten seconds to read the answer`() async throws {
        let writes = HeldWrites()
        let channel = try await keptConnection(holding: writes)
        try await channel.writeInbound(ByteBuffer(string: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"))
        while try await channel.testingEventLoop.executeInContext({ writes.count }) == 0 {
            await channel.testingEventLoop.run()
            await Task.yield()
        }
        try await channel.testingEventLoop.executeInContext { writes.release() }
        await channel.testingEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive, "the connection is idle")
        try await channel.writeInbound(ByteBuffer(string: "GET /b HTTP/1.1\r\nHost: h\r\n\r\n"))
        while try await channel.testingEventLoop.executeInContext({ writes.count }) == 0 {
            await channel.testingEventLoop.run()
            await Task.yield()
        }
        await channel.testingEventLoop.advanceTime(by: .milliseconds(9_900))
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!channel.isActive)
    }

    @Test func `a connection is not kept if the client does not want that, or sends two requests at once`() async throws
    {
        let requests = [
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 2),
        ]
        for request in requests {
            let channel = try await keptConnection()
            try await channel.writeInbound(ByteBuffer(string: request))
            let text = try await channel.response()
            #expect(text.contains("Connection: close\r\n") && text.hasSuffix("\r\n\r\n/"), "\(text)")
        }
    }

    @Test func `a connection is not kept after a malformed body`() async throws {
        let channel = try await keptConnection()
        let request = "GET /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
        try await channel.writeInbound(ByteBuffer(string: request))
        #expect(try await channel.response().hasSuffix("\r\n\r\n/a"))
    }

    @Test func `a malformed request on a kept connection gets status 400`() async throws {
        let channel = try await keptConnection()
        _ = try await channel.response(to: "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", endingWith: "/a")
        try await channel.writeInbound(ByteBuffer(string: "GOT / HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(try await channel.response().hasPrefix("HTTP/1.1 400 "))
    }
}
