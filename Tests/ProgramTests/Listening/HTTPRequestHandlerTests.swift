import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HTTPRequestHandlerTests {
    private func response(to request: String, isLoopback: Bool = false) async throws -> String {
        let channel = try await NIOAsyncTestingChannel.connected(isLoopback: isLoopback)
        try await channel.writeInbound(ByteBuffer(string: request))
        return try await channel.response()
    }

    private func status(of request: String, isLoopback: Bool = false) async throws -> Int? {
        Int(try await response(to: request, isLoopback: isLoopback).split(separator: " ").dropFirst().first ?? "")
    }

    @Test func `method, path and fields are parsed in all valid forms`() async throws {
        let text = "GET /metrics?x=1 HTTP/1.1\r\nHOST: h\r\naccept:\t text/plain;q=1 \r\nX-Odd: \u{FC}\r\n\r\n"
        let answer = try await response(to: text)
        #expect(answer.hasSuffix("\r\n\r\nGET /metrics [\"text/plain;q=1\"]"), "\(answer)")
        #expect(try await response(to: "PUT http://h:80/healthz HTTP/1.0\r\n\r\n").contains("\r\n\r\nPUT /healthz"))
        #expect(try await response(to: "GET http://h HTTP/1.0\r\n\r\n").contains("\r\n\r\nGET / "))
        #expect(try await response(to: "\r\n\r\nGET  / HTTP/1.1\r\nHost: h\r\n\r\n").contains("\r\n\r\nGET / "))
    }

    @Test(
        arguments: [
            "GET\r\n\r\n", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", "GOT / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / http/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n folded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n\tfolded: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{1}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nX: a\u{7F}b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nNothing\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ]
    )
    func `a malformed request gets status 400`(_ text: String) async throws {
        #expect(try await status(of: text) == 400)
    }

    @Test(arguments: [
        "GET / HTTP/0.9\r\nHost: h\r\n\r\n", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", "GET / HTTP/2\r\nHost: h\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: h\r\n\r\n", "GET / HTTP/1.1x\r\nHost: h\r\n\r\n", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.0\n\n",
    ])
    func `an unsupported version gets status 505`(_ text: String) async throws {
        #expect(try await status(of: text) == 505)
    }

    @Test(arguments: [
        "localhost", "LocalHost:9720", "localhost.", "127.0.0.1", "127.1.2.3:80", "[::1]", "[::1]:9720", "localhost:",
        "localhost \t", "[0:0:0:0:0:0:0:1]:9720", "[::ffff:127.0.0.1]:9720", "[::ffff:7f00:1]",
    ])
    func `a loopback listener accepts loopback hosts`(_ host: String) async throws {
        #expect(try await status(of: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n", isLoopback: true) == 200)
    }

    @Test(arguments: [
        "h", "evil.example", "evil.example:9720", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil.0.1",
        "127.+1.0.1",
        "127..0.1", "::1", "[::1]9", "127.0.0.1::80",
        "127.0.0.256", "128.0.0.1", "0.0.0.0", "[::2]", "[::ffff:192.0.2.1]", "[evil]", "[::1].evil.example", "[::1",
        "evil.example:80:localhost",
        "localhost@evil.example", "", "192.0.2.1", "localhost:80x",
    ])
    func `a loopback listener refuses other hosts with status 421`(_ host: String) async throws {
        let request = "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        #expect(try await status(of: request, isLoopback: true) == 421)
        #expect(try await status(of: request) == 200)
    }

    @Test func `the host of an absolute target has precedence, and HTTP 1 0 may have none`() async throws {
        let evil = "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
        #expect(try await status(of: evil, isLoopback: true) == 421)
        #expect(try await status(of: "GET / HTTP/1.0\r\n\r\n", isLoopback: true) == 200)
    }

    @Test func `a long head gets status 431 before it ends`() async throws {
        let long = { String(repeating: "x", count: $0) }
        #expect(try await status(of: "GET /\(long(7_900)) HTTP/1.1\r\nHost: h\r\n\r\n") == 200)
        #expect(try await status(of: "GET /\(long(8_192))") == 431)
        #expect(try await status(of: "GET / HTTP/1.1\r\n\(long(8_192))") == 431)
        #expect(try await status(of: "GET / HTTP/1.1\r\nHost: h\r\nX: \(long(8_192))") == 431)
        #expect(try await status(of: "GET / HTTP/1.1\r\nX: \(long(100_000))\r\n\r\n") == 431)
        #expect(try await status(of: "GET / HTTP/1.1\r\n\(String(repeating: "X: x\r\n", count: 5_000))") == 431)
    }

    @Test func `a request may arrive in pieces, and only the first one is answered`() async throws {
        let request = "GET /first HTTP/1.1\r\nHost: h\r\n\r\n"
        let channel = try await NIOAsyncTestingChannel.connected()
        for byte in request.utf8 { try await channel.writeInbound(ByteBuffer(bytes: [byte])) }
        #expect(try await channel.response().hasSuffix("\r\n\r\nGET /first []"))

        let text = try await response(to: "\(request)GET /second HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(text.hasSuffix("\r\n\r\nGET /first []") && text.split(separator: "HTTP/1.1 ").count == 1)
        let broken = try await response(to: "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        #expect(broken.hasSuffix("\r\n\r\nPOST / []") && broken.split(separator: "HTTP/1.1 ").count == 1)
    }

    /// Returns a connection whose responses permit further requests.
    @Test(arguments: ["1.0", "1.1"])
    func `HEAD has no body, and only HTTP 1 1 sends a body of unknown length in chunks`(version: String) async throws {
        for body in [nil, ["a", "", "bc"]] {
            for method in ["GET", "HEAD"] {
                let channel = try await NIOAsyncTestingChannel.connected { _ in
                    var response = HTTPServerResponse(text: "abc")
                    guard let body else { return response }
                    response.headers.remove(name: "Content-Length")
                    response.body = .parts(body.makeIterator())
                    return response
                }
                try await channel.writeInbound(ByteBuffer(string: "\(method) / HTTP/\(version)\r\nHost: h\r\n\r\n"))
                let text = try await channel.response()
                let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
                let isChunked = body != nil && version == "1.1" && method == "GET"
                let expected = isChunked ? "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n" : method == "GET" ? "abc" : ""
                #expect(parts.last ?? "" == expected, "\(text)")
                #expect(text.contains("Transfer-Encoding: chunked") == isChunked)
                #expect(text.contains("Content-Length: 3") == (body == nil))
            }
        }
    }

    /// Whether a body of unknown length, whose second part is empty, is compressed in the response to a request.
    private func isCompressed(_ method: String, version: String, accepting encodings: String?) async throws -> Bool {
        let channel = try await NIOAsyncTestingChannel.connected { _ in
            var response = HTTPServerResponse(text: "")
            response.headers.remove(name: "Content-Length")
            response.body = .parts([String(repeating: "a", count: 9_000), "", "b"].makeIterator())
            return response
        }
        let field = encodings.map { "Accept-Encoding: \($0)\r\n" } ?? ""
        try await channel.writeInbound(ByteBuffer(string: "\(method) / HTTP/\(version)\r\nHost: h\r\n\(field)\r\n"))
        let text = try await channel.response()
        let encoding = text.contains("Content-Encoding: gzip\r\n") || text.contains("Content-Encoding: deflate\r\n")
        let isShort = text.utf8.count < 1_000
        #expect(encoding == (isShort && method == "GET"), "\(text.prefix(500))")
        #expect(method == "HEAD" || version == "1.0" || text.hasSuffix("\r\n0\r\n\r\n"), "the body is complete")
        return encoding
    }

    @Test(arguments: ["gzip", "x-gzip", "deflate", "gzip, deflate, br", "br;q=1.0, gzip;q=0.1", "*"])
    func `a body of unknown length is compressed if the client accepts that, except with HEAD and HTTP 1 0`(
        encodings: String
    ) async throws {
        #expect(try await isCompressed("GET", version: "1.1", accepting: encodings))
        #expect(try await !isCompressed("HEAD", version: "1.1", accepting: encodings))
        #expect(try await !isCompressed("GET", version: "1.0", accepting: encodings))
    }

    @Test(arguments: [nil, "", "identity", "br", "gzip;q=0", "gzip;q=0.0, identity", "*;q=0", "gzip;q=", "zip"])
    func `a body is not compressed if the client does not accept that`(encodings: String?) async throws {
        #expect(try await !isCompressed("GET", version: "1.1", accepting: encodings))
    }

    @Test func `a short response and the response to a malformed request are not compressed`() async throws {
        let text = try await response(to: "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(text.hasSuffix("\r\n\r\nGET / []") && !text.contains("Content-Encoding"))
        #expect(try await status(of: "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\nx\r\n\r\n") == 400)
        let two = "GET / HTTP/1.1\r\nHost: h\r\nAccept-Encoding: gzip\r\n\r\nx\r\n\r\n"
        #expect(try await status(of: two) == 200)
    }

    @Test func `a client has five seconds for its request, even if it keeps sending`() async throws {
        let channel = try await NIOAsyncTestingChannel.connected()
        try await channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\n"))
        for _ in 0..<4 {
            await channel.testingEventLoop.advanceTime(by: .seconds(1))
            try await channel.writeInbound(ByteBuffer(string: "X"))
        }
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test func `the loop's time does not count towards the request's five seconds`() async throws {
        let (answers, answer) = AsyncStream.makeStream(of: String.self)
        let channel = try await NIOAsyncTestingChannel.connected { _ in
            HTTPServerResponse(text: await answers.first { _ in true } ?? "")
        }
        try await channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        await channel.testingEventLoop.advanceTime(by: .seconds(60))
        #expect(channel.isActive)
        answer.yield("late")
        #expect(try await channel.response().hasSuffix("\r\n\r\nlate"))
    }

    @Test func `a part is created when the previous one has been sent, and a client has ten seconds to read`()
        async throws
    {
        let made = Counter()
        let writes = HeldWrites()
        let channel = try await NIOAsyncTestingChannel.connected(holding: writes) { _ in
            var response = HTTPServerResponse(text: "")
            response.headers.remove(name: "Content-Length")
            response.body = .parts(Parts(made: made))
            return response
        }
        try await channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        for count in 1...3 {
            while made.value < count {
                await channel.testingEventLoop.run()
                await Task.yield()
            }
            for _ in 0..<100 { await channel.testingEventLoop.run() }
            #expect(made.value == count)
            if count < 3 { try await channel.testingEventLoop.executeInContext { writes.release() } }
        }
        await channel.testingEventLoop.advanceTime(by: .milliseconds(9_900))
        #expect(channel.isActive)
        await channel.testingEventLoop.advanceTime(by: .milliseconds(200))
        #expect(!channel.isActive)
        #expect(made.value == 3)
    }

    @Test func `the wait for a response ends when the client disconnects`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let channel = try await NIOAsyncTestingChannel.connected { _ in
            try? await sleepUntilCancelled()
            end.yield()
            return HTTPServerResponse(text: "")
        }
        try await channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: h\r\n\r\n"))
        try await channel.close()
        #expect(await ends.first { _ in true } != nil)
    }

    @Test func `mutated requests never trap`() async throws {
        var random = SystemRandomNumberGenerator()
        let seed = "GET http://h/metrics?a HTTP/1.1\r\nHost: h\r\nAccept: */*;q=0.1\r\n\r\n"
        for _ in 0..<2_000 {
            var bytes = Array(seed.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            let channel = try await NIOAsyncTestingChannel.connected()
            try await channel.writeInbound(ByteBuffer(bytes: bytes))
            await channel.testingEventLoop.advanceTime(by: .seconds(5))
            let text = try await channel.response()
            #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 "))
        }
    }
}

/// Counts the parts of an endless body when they are created.
private struct Parts: IteratorProtocol, Sendable {
    let made: Counter

    func next() -> String? {
        made.increment()
        return "x"
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock(\.self) }

    func increment() {
        count.withLock { $0 += 1 }
    }
}

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct KeptConnectionTests {
    private func keptConnection(holding writes: HeldWrites? = nil) async throws -> NIOAsyncTestingChannel {
        try await NIOAsyncTestingChannel.connected(holding: writes) { request in
            var response = HTTPServerResponse(text: request.path)
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
