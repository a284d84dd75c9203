import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// Requests through a proxy on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct ProxyTests {
    private func endpoint(of server: ScriptedServer) -> String {
        String(server.url.dropFirst("http://".count).prefix { $0 != "/" })
    }

    @Test func `without TLS, a proxy gets the whole URL and the credentials`() async throws {
        let proxy = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let request = Fetch.Request("http://shop.example:8080/a/b?c=//d", method: "POST", body: "payload")
        let response = try await withTransport(proxies: ["http_proxy": "me:secret@\(endpoint(of: proxy))"]) {
            try await $0.send(request)
        }
        #expect(String(decoding: response.body, as: UTF8.self) == "fine")
        let sent = try #require(proxy.requests.first)
        #expect(sent.hasPrefix("POST http://shop.example:8080/a/b?c=//d HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nHost: shop.example:8080\r\n"))
        #expect(sent.contains("\r\nProxy-Authorization: Basic bWU6c2VjcmV0\r\n"))
        #expect(sent.hasSuffix("\r\n\r\npayload"))
        try await proxy.stop()
    }

    @Test(
        arguments: [
            (ScriptedServer.Action.say("HTTP/1.1 200 Connected\r\n\r\n"), ["closed", "reset"], 2),
            (.say("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n"), ["the proxy did not connect to the host"], 2),
            (
                .say("HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n"),
                ["the proxy requires authentication (HTTP 407)"], 1
            ),
        ]
    )
    func `for TLS, a proxy gets only CONNECT`(
        _ deed: ScriptedServer.Action,
        _ causes: [String],
        _ tries: Int
    ) async throws {
        let proxy = try await ScriptedServer.on(deed)
        let request = Fetch.Request(
            "https://shop.example/a",
            headers: [.authorization: "Bearer secret"]
        )
        let proxies = ["https_proxy": "http://me:secret@\(endpoint(of: proxy))"]
        let record = await FetchRecord(request, maximumRetries: 1, proxies: proxies)
        guard case .network(let failure) = record.error else { return #expect(Bool(false), "\(record.summary)") }
        #expect(causes.contains(failure.description), "\(failure.description)")
        #expect(record.tries == tries)
        let line = try #require(proxy.requests.first)
        #expect(line.hasPrefix("CONNECT shop.example:443 HTTP/1.1\r\n"))
        #expect(line.lowercased().contains("\r\nproxy-authorization: basic bwu6c2vjcmv0\r\n"))
        #expect(!line.contains("Bearer"))
        try await proxy.stop()
    }

    @Test func `requests share a connection to the proxy`() async throws {
        let proxy = try await ScriptedServer.on(.hold(.answer("200 OK", body: "fine")))
        let proxies = ["http_proxy": endpoint(of: proxy)]
        try await withTransport(proxies: proxies) { transport async throws(Fetch.Error) in
            for host in ["shop.example", "shop.example", "bank.example"] {
                _ = try await transport.send(Fetch.Request("http://\(host)/"))
            }
        }
        #expect(
            proxy.requests.map { $0.prefix { $0 != "\r\n" } } == [
                "GET http://shop.example/ HTTP/1.1", "GET http://shop.example/ HTTP/1.1",
                "GET http://bank.example/ HTTP/1.1",
            ]
        )
        #expect(proxy.connectionCount == 1)
        try await proxy.stop()
    }

    @Test func `a host in no_proxy is fetched directly`() async throws {
        let proxy = try await ScriptedServer.on(.say(.answer("500 Oh")))
        let server = try await ScriptedServer.on(.say(.answer("200 OK")))
        let proxies = ["http_proxy": endpoint(of: proxy), "no_proxy": "127.0.0.0/8"]
        let record = await FetchRecord(Fetch.Request(server.url), proxies: proxies)
        #expect(record.summary == "HTTP 200")
        #expect(proxy.requests.isEmpty)
        try await proxy.stop()
        try await server.stop()
    }

    @Test func `the error of an invalid proxy has the variable`() async {
        let error = await #expect(throws: Fetch.Error.self) {
            try await withTransport(proxies: ["http_proxy": "socks5://p:1"]) {
                try await $0.send("http://shop.example/")
            }
        }
        guard case .invalid(let text) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(text.hasPrefix("http_proxy: "))
    }
}
