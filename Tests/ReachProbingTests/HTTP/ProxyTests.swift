import NIOCore
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

/// Probes through a proxy on loopback, which also answers for the target.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ProxyTests {
    /// The outcome of a probe, and the request that the proxy received.
    private func outcome(
        isSecure: Bool,
        host: String = "shop.example",
        credentials: String = "",
        headers: [HTTPOptions.Header] = [],
        timeout: Duration = .seconds(10),
        _ answer: @escaping @Sendable (String) -> WebServer.Action
    ) async throws -> (outcome: Outcome, request: String) {
        let received = Mutex("")
        let proxy = try await WebServer.on { request in
            received.withLock { $0 = request }
            return answer(request)
        }
        var question = HTTPQuestion(isSecure: isSecure, host: host, path: "/a?b=c")
        question.options.headers = headers
        question.options.proxies = try Proxies("http://\(credentials)127.0.0.1:\(proxy.port)")
        // The name of the target is never resolved here.
        let harness = EngineHarness(resolve: { _ in .failure(Failure(.nameNotFound)) })
        harness.watch([.http(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.address == "127.0.0.1")
        await harness.engine.shutdown()
        try await proxy.close()
        return (observation.outcome, received.withLock { $0 })
    }

    @Test func `without TLS, the proxy gets the whole URL and the credentials`() async throws {
        let fields = [HTTPOptions.Header(name: "Authorization", value: "Bearer secret")]
        let (outcome, request) = try await outcome(isSecure: false, credentials: "me:pass@", headers: fields) { _ in
            .send(WebServer.ok("fine"))
        }
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.detail == "HTTP 200")
        let lines = request.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "GET http://shop.example/a?b=c HTTP/1.1")
        #expect(lines.contains("Host: shop.example"))
        #expect(lines.contains("Proxy-Authorization: Basic bWU6cGFzcw=="))
        #expect(lines.contains("Authorization: Bearer secret"))
    }

    @Test func `with TLS, the proxy gets only a request for a tunnel`() async throws {
        let fields = [HTTPOptions.Header(name: "Authorization", value: "Bearer secret")]
        let (outcome, request) = try await outcome(isSecure: true, credentials: "me:pass@", headers: fields) { _ in
            .send(WebServer.answer("407 Who"))
        }
        let detail = "proxy: HTTP 407 Proxy Authentication Required"
        #expect(outcome == .failure(Failure(.prohibited, detail: detail)))
        let lines = request.split(separator: "\r\n").map(String.init)
        #expect(lines.first == "CONNECT shop.example:443 HTTP/1.1")
        #expect(lines.contains("Proxy-Authorization: Basic bWU6cGFzcw=="))
        #expect(!request.contains("secret"))
    }

    @Test(
        arguments: [
            (WebServer.answer("403 No"), Reason.prohibited, "proxy: HTTP 403 Forbidden"),
            (WebServer.answer("503 \u{1B}[2J"), .hostUnreachable, "proxy: HTTP 503 Service Unavailable"),
            (WebServer.answer("302 Found", headers: "Location: /x\r\n"), .protocolError, "proxy: HTTP 302 Found"),
            ("SSH-2.0-x\r\n", .protocolError, "proxy: the answer is not HTTP"),
            ("HTTP/1.1 200 OK\r\nX", .closed, "proxy: closed"),
        ]
    )
    func `a failure of the proxy is named`(answer: String, reason: Reason, detail: String) async throws {
        let (outcome, _) = try await outcome(isSecure: true) { _ in .send(answer) }
        #expect(outcome == .failure(Failure(reason, detail: detail)))
    }

    @Test func `a failure after the tunnel is that of the target`() async throws {
        let (outcome, _) = try await outcome(isSecure: true, timeout: .seconds(1)) { request in
            request.hasPrefix("CONNECT ") ? .sendAndHold("HTTP/1.1 200 OK\r\n\r\n") : .close
        }
        // The server waits for the end of a request head, which a ClientHello has not.
        #expect(outcome == .timeout)
    }

    @Test func `without TLS, only the status 407 is the proxy's`() async throws {
        let (refused, _) = try await outcome(isSecure: false) { _ in .send(WebServer.answer("407 Who")) }
        let detail = "proxy: HTTP 407 Proxy Authentication Required"
        #expect(refused == .failure(Failure(.httpStatus, detail: detail, httpStatus: 407)))
        let (busy, _) = try await outcome(isSecure: false) { _ in .send(WebServer.answer("503 Busy")) }
        #expect(busy == .failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable", httpStatus: 503)))
    }

    @Test(arguments: [true, false])
    func `a proxy that refuses connections is named`(isSecure: Bool) async throws {
        var question = HTTPQuestion(isSecure: isSecure, host: "shop.example")
        question.options.proxies = try Proxies("127.0.0.1:\(Listener.closedPort)")
        let harness = EngineHarness()
        harness.watch([.http(question)], interval: .seconds(10), timeout: .seconds(10))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.refused, detail: "proxy: refused")))
        await harness.engine.shutdown()
    }

    @Test func `redirects go through the proxy, except to hosts without one`() async throws {
        let other = try await WebServer.on()
        let proxy = try await WebServer.on { request in
            if request.hasPrefix("GET http://next.example/") {
                let location = "Location: http://127.0.0.1:\(other.port)/\r\n"
                return .send(WebServer.answer("302 Found", headers: location))
            }
            return .send(WebServer.answer("302 Found", headers: "Location: http://next.example/\r\n"))
        }
        var question = HTTPQuestion(isSecure: false, host: "shop.example", options: HTTPOptions(follow: 2))
        question.options.proxies = Proxies(environment: [
            "http_proxy": "127.0.0.1:\(proxy.port)", "no_proxy": "127.0.0.1",
        ])
        let harness = EngineHarness(resolve: { _ in .failure(Failure(.nameNotFound)) })
        harness.watch([.http(question)], interval: .seconds(10), timeout: .seconds(10))
        let outcome = try #require(await harness.observations(1).first).outcome
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
        await harness.engine.shutdown()
        try await proxy.close()
        try await other.close()
    }
}
