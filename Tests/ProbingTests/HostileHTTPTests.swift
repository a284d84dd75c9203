import Monitoring
import NIOCore
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct HostileHTTPTests {
    private func outcome(
        of deed: WebServer.Deed,
        greeting: WebServer.Deed? = nil,
        timeout: Duration = .seconds(10),
        _ options: HTTPOptions = HTTPOptions()
    ) async throws -> Outcome {
        let server = try await WebServer.on(greeting: greeting) { _ in deed }
        let tower = Watchtower()
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: server.port, options: options)
        tower.watch([.http(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
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
    func `headers without end are stopped`(head: String, rest: String) async throws {
        let outcome = try await outcome(of: .endless(head, String(repeating: rest, count: 100)))
        #expect(outcome == .failure(Failure(.protocolError, detail: "headers without end")))
    }

    @Test func `a body without end is judged by its first mebibyte`() async throws {
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

    @Test func `chunks that are mostly frame are stopped`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunk = "1;x=\(String(repeating: "y", count: 4_000))\r\na\r\n"
        let chunks = WebServer.Deed.endless(head, String(repeating: chunk, count: 10))
        let outcome = try await outcome(of: chunks, HTTPOptions(body: "b"))
        #expect(outcome == .failure(Failure(.protocolError, detail: "too much around the body")))
    }

    @Test func `an answer of one byte at a time ends with the timeout`() async throws {
        let text = WebServer.ok(String(repeating: "x", count: 10_000))
        let dribble = WebServer.Deed.dribble(.milliseconds(5), text)
        #expect(try await outcome(of: dribble, timeout: .milliseconds(400), HTTPOptions(body: "y")) == .timeout)
    }

    @Test func `a silent server ends with the timeout`() async throws {
        #expect(try await outcome(of: .hold(""), timeout: .milliseconds(300)) == .timeout)
        let half = try await outcome(of: .hold("HTTP/1.1 200 OK\r\nContent-Le"), timeout: .milliseconds(300))
        #expect(half == .timeout)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "HTTP/2.0 200 OK\nX : y\n z\n\n",
    ])
    func `without a pattern for the body, an answer ends with its head`(head: String) async throws {
        let outcome = try await outcome(of: .hold(head), timeout: .seconds(5))
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
        let unmatched = try await self.outcome(of: .hold(head), timeout: .milliseconds(300), HTTPOptions(body: "x"))
        #expect(unmatched == .timeout)
    }

    @Test(arguments: [
        "\u{0}\u{1}\u{2}\u{3}\u{4}", "HTTP/0.9 200 OK\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        "220 ESMTP\r\n",
    ])
    func `garbage breaks the rules of the protocol`(text: String) async throws {
        let outcome = try await outcome(of: .say(text))
        #expect(outcome == .failure(Failure(.protocolError, detail: "the answer is not HTTP")))
    }

    @Test func `a server that speaks first does not speak HTTP`() async throws {
        let outcome = try await outcome(of: .close, greeting: .hold("220 mail.example ESMTP\r\n"))
        #expect(outcome == .failure(Failure(.protocolError, detail: "the answer is not HTTP")))
    }

    @Test func `an answer that ends too soon is closed`() async throws {
        let silent = try await outcome(of: .close)
        #expect(silent == .failure(Failure(.closed, detail: "closed without an answer")))
        let headers = try await outcome(of: .say("HTTP/1.1 200 OK\r\nContent-"))
        #expect(headers == .failure(Failure(.closed, detail: "closed in the middle of the headers")))
        let body = try await outcome(
            of: .say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nfour"),
            HTTPOptions(body: "x")
        )
        #expect(body == .failure(Failure(.closed, detail: "closed in the middle of the answer")))
    }

    @Test func `a connection that is broken off is reset`() async throws {
        #expect(try await outcome(of: .reset) == .failure(Failure(.reset)))
    }

    @Test func `a body up to the end of the connection is whole`() async throws {
        let outcome = try await outcome(of: .say("HTTP/1.0 200 OK\r\n\r\nto the end"), HTTPOptions(body: "end$"))
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test(arguments: [
        ("http://[fe80::1]/", nil), ("http://127.0.0.1.:1/", nil), ("http://[::1]:1/", "127.0.0.1"),
        ("http://[ff02::1]/", nil), ("http://[::ffff:0:0]:1/", nil), ("http://255.255.255.255/", nil),
        ("http://0.0.0.0:1/", nil), ("https://./", nil), ("https://\(String(repeating: "a", count: 300))/", nil),
    ])
    func `wherever a redirect leads, it is no fault of ours`(location: String, source: String?) async throws {
        let redirect = WebServer.answer("302 Found", headers: "Location: \(location)\r\n")
        let server = try await WebServer.on { _ in .say(redirect) }
        let tower = Watchtower(resolve: { _ in Resolution.system("127.0.0.1") })
        let question = HTTPQuestion(
            isSecure: false,
            host: "127.0.0.1",
            port: server.port,
            options: HTTPOptions(follow: 1)
        )
        tower.watch([.http(question)], interval: .seconds(5), timeout: .seconds(5), source: source)
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
        try await server.close()
        guard case .failure = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
    }

    @Test func `headers that cannot be sent are our trouble`() async throws {
        let options = HTTPOptions(headers: [.init(name: "X Y", value: "a\r\nb")])
        guard case .fault = try await outcome(of: .close, options) else { throw Missing() }
    }
}

private struct Missing: Error {}
