import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// The transport and the retries against a scripted server on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HTTPTransportTests {
    @Test func `it retries after refused, timeout, two busy responses and an incomplete one`() async throws {
        let refused = await FetchRecord(Fetch.Request(ScriptedServer.closedURL), maximumRetries: 1)
        #expect(refused.error == .network(Fetch.TransportError(.refused)))
        #expect(refused.tries == 2)

        let server = try await ScriptedServer.on(
            .hold(""),
            .say(.answer("503 Service Unavailable", "Retry-After: 1")),
            .say(
                .answer(
                    "429 Too Many Requests",
                    "Date: Sat, 21 Nov 2026 04:00:00 GMT",
                    "Retry-After: Sat, 21 Nov 2026 04:00:03 GMT"
                )
            ),
            .breakOff(after: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"),
            .say(.answer("200 OK", body: "fine"))
        )
        let record = await FetchRecord(Fetch.Request(server.url, timeout: .milliseconds(500)))
        let response = try record.result.get()
        #expect(response.status == 200 && response.ending == .whole)
        #expect(String(decoding: response.body, as: UTF8.self) == "fine")
        #expect(record.tries == 5)
        #expect(record.pauses == [.zero, .seconds(1), .seconds(3), .zero])
        #expect(server.requests.count == 5)
        try await server.stop()
    }

    @Test func `after the last retry, the error is that of the last try`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Service Unavailable")))
        let record = await FetchRecord(Fetch.Request(server.url), maximumRetries: 3)
        #expect(record.summary == "HTTP 503, tried 4 times")
        #expect(record.pauses.count == 3)
        try await server.stop()
    }

    @Test(arguments: [false, true])
    func `a POST is sent again only by the policy`(_ repeatsAnyMethod: Bool) async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Service Unavailable")),
            .say(.answer("200 OK"))
        )
        let request = Fetch.Request(server.url, method: "POST", body: "payload")
        let record = await FetchRecord(request, repeatsAnyMethod: repeatsAnyMethod)
        #expect(record.tries == (repeatsAnyMethod ? 2 : 1))
        #expect(record.response?.summary == (repeatsAnyMethod ? "HTTP 200" : "HTTP 503"))
        #expect(server.requests.count == record.tries)
        #expect(
            server.requests.allSatisfy { $0.hasPrefix("POST /hook HTTP/1.1\r\n") && $0.hasSuffix("\r\n\r\npayload") }
        )
        try await server.stop()
    }

    @Test func `cancellation ends a try at once`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() })
        let request = Fetch.Request(server.url, timeout: .seconds(600))
        let fetching = Task { await FetchRecord(request) }
        for await _ in arrivals { break }
        fetching.cancel()
        // The time limit of the suite is far below the request's timeout.
        let record = await fetching.value
        #expect(record.error == .cancelled)
        #expect(record.tries == 1)
        try await server.stop()
    }

    /// Cancels its task once the body is complete, as after the renaming of a file.
    private struct CancellingSink: BodySink {
        let committedBytes: Int64 = 0
        let cancel: @Sendable () -> Void

        func begin(with head: Fetch.Response?) {}
        func write(_ piece: [UInt8]) {}
        func discard() {}
        func finish() async {
            cancel()
            while !Task.isCancelled { await Task.yield() }
        }
    }

    @Test func `a fetch that is cancelled after its body is complete has succeeded`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let (ends, end) = AsyncStream<Void>.makeStream()
        let sink = CancellingSink(cancel: { end.yield() })
        let fetching = Task { await FetchRecord(Fetch.Request(server.url), into: sink) }
        for await _ in ends { break }
        fetching.cancel()
        #expect(try await fetching.value.result.get().status == 200)
        try await server.stop()
    }

    @Test func `a negative timeout is one of zero`() async throws {
        let server = try await ScriptedServer.on(.hold(""))
        for timeout in [Duration.zero, .seconds(-1), .seconds(-100)] {
            let record = await FetchRecord(Fetch.Request(server.url, timeout: timeout), maximumRetries: 0)
            #expect(record.error == .timeout)
        }
        try await server.stop()
    }

    @Test func `cancellation ends a pause at once`() async throws {
        let clock = RecordingClock(isStanding: true)
        let server = try await ScriptedServer.on(.say(.answer("503 Service Unavailable")))
        let fetching = Task { await FetchRecord(Fetch.Request(server.url), clock: clock) }
        for await _ in clock.sleeps { break }
        fetching.cancel()
        let record = await fetching.value
        #expect(record.error == .cancelled)
        #expect(record.tries == 1)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `only the beginning of an endless body is read`() async throws {
        let server = try await ScriptedServer.on(
            .endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nabcd\r\n")
        )
        let request = Fetch.Request(server.url, maximumBodySize: 1_000)
        let response = try await withTransport { try await $0.send(request) }
        #expect(response.ending == .truncated)
        #expect(response.body == Data(String(repeating: "abcd", count: 250).utf8))
        try await server.stop()
    }

    @Test func `a response that times out has the incomplete body`() async throws {
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        let request = Fetch.Request(server.url, timeout: .seconds(2))
        let record = await FetchRecord(request, maximumRetries: 0)
        var half = Fetch.Response(
            status: 200,
            headers: [.contentLength: "9"],
            body: Data("half".utf8),
            ending: .timeout
        )
        half.progress = BodyProgress(count: 4, of: 9)
        #expect(record.error == .incomplete(half))
        try await server.stop()
    }

    @Test func `a redirect is not followed with a limit of zero`() async throws {
        let elsewhere = try await ScriptedServer.on(.say(.answer("200 OK")))
        let server = try await ScriptedServer.on(.say(.answer("302 Found", "Location: \(elsewhere.url)")))
        let record = await FetchRecord(Fetch.Request(server.url, redirectLimit: 0))
        #expect(record.response?.status == 302)
        #expect(record.response?.headers["location"] == elsewhere.url)
        #expect(elsewhere.requests.isEmpty)
        try await server.stop()
        try await elsewhere.stop()
    }

    @Test func `a name that does not exist is not found`() async {
        let record = await FetchRecord(Fetch.Request("http://nowhere.invalid/"), maximumRetries: 1)
        let failure = Fetch.TransportError(.nameNotFound, detail: "the name nowhere.invalid was not found")
        #expect(record.error == .network(failure))
        #expect(record.tries == 2)
    }

    @Test func `a server without TLS is a protocol error, and not retried`() async throws {
        let server = try await ScriptedServer.on(.say("220 mail.example.net ESMTP\r\n"), waitsForWholeRequest: false)
        let url = server.url.replacing("http://", with: "https://")
        let record = await FetchRecord(Fetch.Request(url))
        #expect(record.error == .notHTTP("the answer is not TLS"))
        #expect(record.tries == 1)
        try await server.stop()
    }

    @Test(arguments: [ScriptedServer.Action.say(""), .breakOff(after: ""), .say("\u{16}\u{3}\u{3}")])
    func `a connection that closes during the TLS handshake is retried`(_ deed: ScriptedServer.Action) async throws {
        let server = try await ScriptedServer.on(deed, waitsForWholeRequest: false)
        let url = server.url.replacing("http://", with: "https://")
        let record = await FetchRecord(Fetch.Request(url))
        guard case .network(let failure) = record.error else { return #expect(Bool(false), "\(record.summary)") }
        #expect([.closed, .reset].contains(failure.reason), "\(failure)")
        #expect(record.tries == 11, "\(failure)")
        try await server.stop()
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 xyz\r\n\r\n"])
    func `a response that is not HTTP is not retried`(_ text: String) async throws {
        let server = try await ScriptedServer.on(.say(text))
        let record = await FetchRecord(Fetch.Request(server.url))
        #expect(record.error == .notHTTP("the answer is not HTTP"))
        #expect(record.tries == 1)
        try await server.stop()
    }

    @Test(arguments: ["000", "099"], ["GET", "POST"])
    func `a status below 100 is not HTTP`(_ status: String, _ method: String) async throws {
        let server = try await ScriptedServer.on(
            .say("HTTP/1.1 \(status) Nothing\r\nContent-Length: 4\r\n\r\nfine"),
            .say("HTTP/1.1 \(status) Nothing\r\n\r\nto the end")
        )
        for _ in 0..<2 {
            // A GET has a connection that is kept, a POST has its own.
            let record = await FetchRecord(Fetch.Request(server.url, method: method))
            #expect(record.error == .notHTTP("the answer is not HTTP"))
            #expect(record.tries == 1)
        }
        try await server.stop()
    }

    @Test func `after the shutdown nothing is sent`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK")))
        let transport = HTTPTransport(now: { 0 })
        await transport.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await transport.send(Fetch.Request(server.url)) }
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test func `the shutdown ends a request under way`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() })
        let transport = HTTPTransport(now: { 0 })
        let sending = Task { try await transport.send(Fetch.Request(server.url, timeout: .seconds(600))) }
        for await _ in arrivals { break }
        await transport.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await sending.value }
        try await server.stop()
    }
}

/// Calls a test with a transport, which is shut down afterwards.
func withTransport<Value: Sendable, Failure: Error>(
    proxies environment: [String: String] = [:],
    _ body: (HTTPTransport) async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let transport = HTTPTransport(now: { 1_795_219_200 }, proxies: Proxies(environment: environment))
    let value: Value
    do throws(Failure) {
        value = try await body(transport)
    } catch {
        await transport.shutdown()
        throw error
    }
    await transport.shutdown()
    return value
}
