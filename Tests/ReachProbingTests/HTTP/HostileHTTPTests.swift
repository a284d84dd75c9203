import NIOCore
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HostileHTTPTests {
    private func outcome(
        of action: WebServer.Action,
        greeting: WebServer.Action? = nil,
        timeout: Duration = .seconds(10),
        _ options: HTTPOptions = HTTPOptions()
    ) async throws -> Outcome {
        let server = try await WebServer.on(greeting: greeting) { _ in action }
        let harness = EngineHarness()
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: server.port, options: options)
        harness.watch([.http(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "X-Field: more of the same, and then more, and then more\r\n"),
        ("HTTP/1.1 200 OK\r\nX-Field: ", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        ("HTTP/1.1 200 ", "a reason phrase that does not come to an end "),
        ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("", "\r\n"),
    ])
    func `endless headers are rejected`(head: String, rest: String) async throws {
        let outcome = try await outcome(of: .endless(head, String(repeating: rest, count: 100)))
        #expect(outcome == .failure(Failure(.protocolError, detail: "headers exceed 80 KiB")))
    }

    @Test func `an endless body is matched by its first mebibyte`() async throws {
        let head = "HTTP/1.1 200 OK\r\n\r\n"
        let rest = String(repeating: "all work and no play\n", count: 2_000)
        guard case .reply = try await outcome(of: .endless(head, rest), HTTPOptions(body: "no play")) else {
            throw Missing()
        }
        guard case .failure(let failure) = try await outcome(of: .endless(head, rest), HTTPOptions(body: "jack")) else {
            throw Missing()
        }
        #expect(failure.detail == #"no match in the first 1 MiB of the body: "all work and no play all…""#)
    }

    @Test func `chunks with mostly framing are rejected`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunk = "1;x=\(String(repeating: "y", count: 4_000))\r\na\r\n"
        let chunks = WebServer.Action.endless(head, String(repeating: chunk, count: 10))
        let outcome = try await outcome(of: chunks, HTTPOptions(body: "b"))
        #expect(outcome == .failure(Failure(.protocolError, detail: "response exceeds 8 MiB")))
    }

    @Test func `a response of one byte at a time is a timeout`() async throws {
        let text = WebServer.ok(String(repeating: "x", count: 10_000))
        let trickle = WebServer.Action.trickle(.milliseconds(5), text)
        #expect(try await outcome(of: trickle, timeout: .milliseconds(400), HTTPOptions(body: "y")) == .timeout)
    }

    @Test func `a silent server is a timeout`() async throws {
        #expect(try await outcome(of: .sendAndHold(""), timeout: .milliseconds(300)) == .timeout)
        let half = try await outcome(of: .sendAndHold("HTTP/1.1 200 OK\r\nContent-Le"), timeout: .milliseconds(300))
        #expect(half == .timeout)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "HTTP/2.0 200 OK\nX : y\n z\n\n",
    ])
    func `without a body pattern a response ends with its head`(head: String) async throws {
        let outcome = try await outcome(of: .sendAndHold(head), timeout: .seconds(5))
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
        let unmatched = try await self.outcome(
            of: .sendAndHold(head),
            timeout: .milliseconds(300),
            HTTPOptions(body: "x")
        )
        #expect(unmatched == .timeout)
    }

    @Test(arguments: [
        "\u{0}\u{1}\u{2}\u{3}\u{4}", "HTTP/0.9 200 OK\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        "220 ESMTP\r\n",
    ])
    func `garbage is a protocol error`(text: String) async throws {
        let outcome = try await outcome(of: .send(text))
        #expect(outcome == .failure(Failure(.protocolError, detail: "the answer is not HTTP")))
    }

    @Test func `a server that sends first is a protocol error`() async throws {
        let outcome = try await outcome(of: .close, greeting: .sendAndHold("220 mail.example ESMTP\r\n"))
        #expect(outcome == .failure(Failure(.protocolError, detail: "the answer is not HTTP")))
    }

    @Test func `an incomplete response is a closed connection`() async throws {
        let silent = try await outcome(of: .close)
        #expect(silent == .failure(Failure(.closed, detail: "closed without an answer")))
        let headers = try await outcome(of: .send("HTTP/1.1 200 OK\r\nContent-"))
        #expect(headers == .failure(Failure(.closed, detail: "closed in the middle of the headers")))
        let body = try await outcome(
            of: .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour"),
            HTTPOptions(body: "x")
        )
        #expect(body == .failure(Failure(.closed, detail: "connection lost after 4 of 9 B")))
    }

    @Test func `a reset connection is reported as reset`() async throws {
        #expect(try await outcome(of: .reset) == .failure(Failure(.reset)))
    }

    @Test func `a body may end with the connection`() async throws {
        let outcome = try await outcome(of: .send("HTTP/1.0 200 OK\r\n\r\nto the end"), HTTPOptions(body: "end$"))
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test(arguments: [
        ("http://[fe80::1]/", nil), ("http://127.0.0.1.:1/", nil), ("http://[::1]:1/", "127.0.0.1"),
        ("http://[ff02::1]/", nil), ("http://[::ffff:0:0]:1/", nil), ("http://255.255.255.255/", nil),
        ("http://0.0.0.0:1/", nil), ("https://./", nil), ("https://\(String(repeating: "a", count: 300))/", nil),
    ])
    func `a redirect to any address is never a fault`(location: String, source: String?) async throws {
        let redirect = WebServer.answer("302 Found", headers: "Location: \(location)\r\n")
        let server = try await WebServer.on { _ in .send(redirect) }
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let question = HTTPQuestion(
            isSecure: false,
            host: "127.0.0.1",
            port: server.port,
            options: HTTPOptions(follow: 1)
        )
        harness.watch([.http(question)], interval: .seconds(5), timeout: .seconds(5), source: source)
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        guard case .failure = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
    }

    @Test func `invalid request headers are a fault`() async throws {
        let options = HTTPOptions(headers: [.init(name: "X Y", value: "a\r\nb")])
        guard case .fault = try await outcome(of: .close, options) else { throw Missing() }
    }
}

private struct Missing: Error {}
