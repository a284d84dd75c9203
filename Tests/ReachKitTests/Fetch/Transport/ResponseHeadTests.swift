import Foundation
import ReachKit
import TestSupport
import Testing

/// Heads that curl and probes accept, and the HTTP parser of SwiftNIO does not.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct ResponseHeadTests {
    private func fetch(_ text: String, method: String = "GET") async throws -> String {
        let server = try await ScriptedServer.on(.say(text))
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        let result: String
        do throws(Fetch.Error) {
            let response = try await fetch.response(to: Fetch.Request(server.url, method: method), maximumRetries: 0)
            result = "\(response.status) \(String(decoding: response.body, as: UTF8.self))"
        } catch {
            result = error.description
        }
        try await server.stop()
        return result
    }

    @Test(arguments: [
        "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nX: y\r\nContent-Length:\r\n 9\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Content-Length: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Content-Length: 4\r\nContent-Length: 4\r\n\r\nfine", "Content-Length: 4, 4\r\n\r\nfine",
        "Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nfine",
        "Transfer-Encoding:\r\nContent-Length: 4\r\n\r\nfine",
        "Transfer-Encoding: chunked, identity\r\n\r\n4\r\nfine\r\n0\r\n\r\n", "Transfer-Encoding: identity\r\n\r\nfine",
        "Transfer-Encoding: chunked\t\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked,\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Transfer-Encoding:\t, Chunked ,\t,\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n \r\n\r\n4\r\nfine\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
    ])
    func `a body with several framings is read as curl reads it`(rest: String) async throws {
        #expect(try await fetch("HTTP/1.1 200 OK\r\n\(rest)") == "200 fine")
        #expect(try await fetch("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n\(rest)") == "200 fine")
    }

    @Test func `a response without a body may have several framings`() async throws {
        let fields = "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try await fetch("HTTP/1.1 200 OK\r\n\(fields)", method: "HEAD") == "200 ")
        #expect(try await fetch("HTTP/1.1 204 No Content\r\n\(fields)") == "204 ")
    }

    @Test func `empty lines before a head change nothing`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n"
        #expect(try await fetch("\r\n\r\n\r\n\(head)4\r\nfine\r\n0\r\n\r\n") == "200 fine")
    }

    @Test(arguments: ["xchunked", "chunked;q=1", "x, chunked", "chunked, gzip", "gzip, chunked", "gzip"])
    func `a transfer coding other than chunked is refused`(coding: String) async throws {
        let fields = "Transfer-Encoding: \(coding)\r\n\r\n"
        let problem = "unsupported Transfer-Encoding \"\(coding)\""
        #expect(try await fetch("HTTP/1.1 200 OK\r\n\(fields)4\r\nfine\r\n0\r\n\r\n") == problem)
        #expect(try await fetch("HTTP/1.1 200 OK\r\n\(fields)", method: "HEAD") == "200 ")
        #expect(try await fetch("HTTP/1.1 204 No Content\r\n\(fields)") == "204 ")
    }

    @Test func `a head has at most 80 KiB`() async throws {
        let long = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 90_000))\r\n\r\nfine"
        #expect(try await fetch(long) == "headers exceed 80 KiB")
    }

    @Test func `different lengths, HTTP/2 and other protocols have their reasons`() async throws {
        let lengths = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfineX"
        #expect(try await fetch(lengths) == "malformed HTTP: two values of Content-Length")
        let frame = "\u{0}\u{0}\u{6}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}d"
        #expect(try await fetch(frame) == "speaks only HTTP/2")
        #expect(try await fetch("SSH-2.0-OpenSSH_9.2\r\n") == "the answer is not HTTP")
        #expect(try await fetch("HTTP/1.1 200 OK\r\nContent-Le") == "closed")
    }

    @Test func `the connection of such a response is not used again`() async throws {
        let fields = "Content-Length: 9\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n"
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\n\(fields)4\r\nfine\r\n0\r\n\r\n"))
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        for _ in 0..<2 { #expect(try await fetch.data(from: server.url) == Data("fine".utf8)) }
        #expect(server.connectionCount == 2)
        try await server.stop()
    }

    @Test func `cookies of redirects are sent with the next request`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("302 Found", "Location: /in", "Set-Cookie: s=1; Path=/", "Set-Cookie: t=2; Path=/other")),
            .say(.answer("200 OK", body: "fine"))
        )
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        #expect(try await fetch.data(from: server.url) == Data("fine".utf8))
        #expect(server.requests.count == 2 && server.requests[1].contains("\r\nCookie: s=1\r\n"))
        try await server.stop()
    }
}
