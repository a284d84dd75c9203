import ReachKit
import ReachMonitoring
import TestSupport
import Testing

@testable import reach

/// The requests of webhooks and the results of their runs.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct WebhookSendingTests {
    private func result(_ server: ScriptedServer, timeout: Duration = .seconds(30)) async -> HookResult {
        await result(of: server.url, timeout: timeout)
    }

    private func result(of url: String, timeout: Duration = .seconds(30)) async -> HookResult {
        let header = HTTPOptions.Header(name: "X-Key", value: "ü")
        let webhook = Webhook(url: url, headers: [header], body: "{\"text\":\"Küche\"}")
        let transport = HTTPTransport(now: { 1_795_219_200 })
        let result = await transport.send(webhook, timeout: timeout)
        await transport.shutdown()
        return result
    }

    @Test func `the request has the fields of the webhook, and the body of the response is the output`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("202 Accepted", body: "queued")))
        let result = await result(server)
        #expect(result.status == .answered(status: 202))
        #expect(result.isSuccess)
        #expect(result.output == "queued")
        let request = server.requests.first ?? ""
        #expect(request.hasPrefix("POST /hook HTTP/1.1\r\n"))
        #expect(request.contains("\r\nX-Key: ü\r\n"))
        #expect(request.lowercased().contains("\r\ncontent-length: 17\r\n"))
        #expect(request.hasSuffix("\r\n\r\n{\"text\":\"Küche\"}"))
        try await server.stop()
    }

    @Test func `HTTP 503 is not retried here, and Retry-After is passed on`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Service Unavailable", "Retry-After: 7", body: "later"))
        )
        let result = await result(server)
        #expect(result.status == .answered(status: 503))
        #expect(result.isTransient)
        #expect(result.retryAfter == .seconds(7))
        #expect(result.output == "later")
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a redirect is a failure that names its location`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("301 Moved Permanently", "Location: https://elsewhere.example/"))
        )
        let result = await result(server)
        #expect(result.status == .answered(status: 301))
        #expect(!result.isSuccess)
        #expect(!result.isTransient)
        #expect(result.output == "redirected to https://elsewhere.example/, which is not followed")
        try await server.stop()
    }

    @Test func `a response with an incomplete body is a success`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhal"
        let breaking = try await ScriptedServer.on(.breakOff(after: head))
        #expect(await result(breaking).isSuccess)
        try await breaking.stop()
        let hanging = try await ScriptedServer.on(.hold(head))
        let result = await result(hanging, timeout: .milliseconds(300))
        #expect(result.isSuccess)
        #expect(result.output == "hal")
        try await hanging.stop()
    }

    @Test func `the first 64 KiB of a long response are kept`() async throws {
        let server = try await ScriptedServer.on(
            .endless("HTTP/1.1 500 Oh\r\n\r\n", String(repeating: "x", count: 1_000))
        )
        let result = await result(server)
        #expect(result.status == .answered(status: 500))
        #expect(result.output == String(repeating: "x", count: 65_536))
        try await server.stop()
    }

    @Test func `a run without a response has the reason`() async throws {
        let server = try await ScriptedServer.on(.hold(""))
        #expect(await result(server, timeout: .milliseconds(100)).status == .timedOut)
        try await server.stop()
        #expect(await result(of: ScriptedServer.closedURL).status == .unanswered(Failure(.refused)))
    }
}
