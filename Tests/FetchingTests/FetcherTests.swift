import Fetching
import Monitoring
import Synchronization
import TestSupport
import Testing

/// The fetcher against a server on loopback that behaves as it is told.
@Suite(.timeLimit(.minutes(1))) struct FetcherTests {
    /// Fetches with pauses that take no time, and keeps how long they would have been.
    private func fetch(
        _ request: FetchRequest,
        retries: Int = 10,
        repeatsAnyMethod: Bool = false
    ) async -> (result: FetchResult, pauses: [Duration]) {
        let pauses = Mutex<[Duration]>([])
        let result = await withFetcher { fetcher in
            await fetcher.fetch(
                request,
                policy: RetryPolicy(of: request.method, retries: retries, repeatsAnyMethod: repeatsAnyMethod),
                using: Constant.low,
                sleep: { pause in pauses.withLock { $0.append(pause) } }
            )
        }
        return (result, pauses.withLock { $0 })
    }

    @Test func `a server that refuses, hangs, is busy twice and breaks off is asked until it answers`() async throws {
        // A port that nobody listens on any more refuses.
        let refusing = try await ScriptedServer.on(.say(""))
        try await refusing.stop()
        let refused = await fetch(FetchRequest(url: refusing.url), retries: 1)
        #expect(refused.result == FetchResult(outcome: .failure(Failure(.refused)), tries: 2))

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
        let (result, pauses) = await fetch(FetchRequest(url: server.url, timeout: .milliseconds(500)))
        guard case .answer(let answer) = result.outcome else { return #expect(Bool(false), "\(result.summary)") }
        #expect(answer.status == 200 && answer.ending == .whole)
        #expect(String(decoding: answer.body, as: UTF8.self) == "fine")
        #expect(result.tries == 5)
        #expect(pauses == [.zero, .seconds(1), .seconds(3), .zero])
        #expect(server.requests.count == 5)
        try await server.stop()
    }

    @Test func `giving up after the last retry says what the last try met`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Service Unavailable")))
        let (result, pauses) = await fetch(FetchRequest(url: server.url), retries: 3)
        #expect(result.summary == "HTTP 503, tried 4 times")
        #expect(pauses.count == 3)
        try await server.stop()
    }

    @Test(arguments: [false, true])
    func `a POST is sent again only when told`(_ told: Bool) async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Service Unavailable")),
            .say(.answer("200 OK"))
        )
        let request = FetchRequest(url: server.url, method: "POST", body: "payload")
        let (result, _) = await fetch(request, repeatsAnyMethod: told)
        #expect(result.tries == (told ? 2 : 1))
        #expect(result.outcome.summary == (told ? "HTTP 200" : "HTTP 503"))
        #expect(server.requests.count == result.tries)
        #expect(
            server.requests.allSatisfy { $0.hasPrefix("POST /hook HTTP/1.1\r\n") && $0.hasSuffix("\r\n\r\npayload") }
        )
        try await server.stop()
    }

    @Test func `cancellation ends a try at once`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { ask.yield() })
        let request = FetchRequest(url: server.url, timeout: .seconds(600))
        let fetching = Task { await fetch(request).result }
        for await _ in asked { break }
        fetching.cancel()
        // The suite's own time limit is far below the request's.
        #expect(await fetching.value == FetchResult(outcome: .cancelled, tries: 1))
        try await server.stop()
    }

    @Test func `cancellation ends a pause at once`() async throws {
        let (pausing, pause) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.say(.answer("503 Service Unavailable")))
        let fetching = Task {
            await withFetcher { fetcher in
                await fetcher.fetch(
                    FetchRequest(url: server.url),
                    policy: RetryPolicy(of: "GET"),
                    sleep: { _ in
                        pause.yield()
                        try await standStill()
                    }
                )
            }
        }
        for await _ in pausing { break }
        fetching.cancel()
        #expect(await fetching.value == FetchResult(outcome: .cancelled, tries: 1))
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `of an endless body only the beginning is read`() async throws {
        let server = try await ScriptedServer.on(
            .endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nabcd\r\n")
        )
        let (result, _) = await fetch(FetchRequest(url: server.url, longestBody: 1_000))
        guard case .answer(let answer) = result.outcome else { return #expect(Bool(false), "\(result.summary)") }
        #expect(answer.ending == .cut)
        #expect(answer.body == Array(String(repeating: "abcd", count: 250).utf8))
        try await server.stop()
    }

    @Test func `an answer whose body does not end in time keeps what came`() async throws {
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        let request = FetchRequest(url: server.url, timeout: .milliseconds(300))
        let (result, _) = await fetch(request, retries: 0)
        let half = Array("half".utf8)
        let headers = [HTTPOptions.Header(name: "Content-Length", value: "9")]
        let answer = FetchAnswer(status: 200, headers: headers, body: half, ending: .timeout)
        #expect(result.outcome == .answer(answer))
        try await server.stop()
    }

    @Test func `a redirect is an answer and is not followed`() async throws {
        let elsewhere = try await ScriptedServer.on(.say(.answer("200 OK")))
        let server = try await ScriptedServer.on(.say(.answer("302 Found", "Location: \(elsewhere.url)")))
        let (result, _) = await fetch(FetchRequest(url: server.url))
        guard case .answer(let answer) = result.outcome else { return #expect(Bool(false), "\(result.summary)") }
        #expect(answer.status == 302)
        #expect(answer[header: "location"] == elsewhere.url)
        #expect(elsewhere.requests.isEmpty)
        try await server.stop()
        try await elsewhere.stop()
    }

    @Test func `a name that does not exist is a look-up that failed`() async {
        let (result, _) = await fetch(FetchRequest(url: "http://nowhere.invalid/"), retries: 1)
        let failure = Failure(.nameNotFound, detail: "the name nowhere.invalid was not found")
        #expect(result == FetchResult(outcome: .failure(failure), tries: 2))
    }

    @Test func `TLS to a server without it is a malformed answer, and is not asked for again`() async throws {
        let server = try await ScriptedServer.on(.say("220 mail.example.net ESMTP\r\n"), isPatient: false)
        let url = server.url.replacing("http://", with: "https://")
        let (result, _) = await fetch(FetchRequest(url: url))
        #expect(
            result == FetchResult(outcome: .failure(Failure(.protocolError, detail: "the answer is not TLS")), tries: 1)
        )
        try await server.stop()
    }

    @Test(arguments: [ScriptedServer.Deed.say(""), .breakOff(after: ""), .say("\u{16}\u{3}\u{3}")])
    func `a server that leaves while TLS begins is asked again`(_ deed: ScriptedServer.Deed) async throws {
        let server = try await ScriptedServer.on(deed, isPatient: false)
        let url = server.url.replacing("http://", with: "https://")
        let (result, _) = await fetch(FetchRequest(url: url))
        guard case .failure(let failure) = result.outcome else { return #expect(Bool(false), "\(result.summary)") }
        #expect([.closed, .reset].contains(failure.reason), "\(failure)")
        #expect(result.tries == 11, "\(failure)")
        try await server.stop()
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 xyz\r\n\r\n"])
    func `what is no HTTP is a malformed answer, and is not asked for again`(_ words: String) async throws {
        let server = try await ScriptedServer.on(.say(words))
        let (result, _) = await fetch(FetchRequest(url: server.url))
        #expect(
            result
                == FetchResult(outcome: .failure(Failure(.protocolError, detail: "the answer is not HTTP")), tries: 1)
        )
        try await server.stop()
    }

    @Test func `after the shutdown nothing is sent`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK")))
        let fetcher = Fetcher(now: { 0 })
        await fetcher.shutdown()
        #expect(await fetcher.send(FetchRequest(url: server.url)) == .cancelled)
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test func `the shutdown ends a request under way`() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { ask.yield() })
        let fetcher = Fetcher(now: { 0 })
        let sending = Task { await fetcher.send(FetchRequest(url: server.url, timeout: .seconds(600))) }
        for await _ in asked { break }
        await fetcher.shutdown()
        #expect(await sending.value == .cancelled)
        try await server.stop()
    }
}
