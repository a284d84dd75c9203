import Foundation
import ReachKit
import TestSupport
import Testing

/// ``Fetch`` with a scripted server on loopback, and a clock whose pauses take no time.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchTests {
    private let clock = RecordingClock()

    private func fetch(policy: Fetch.Policy = Fetch.Policy(), now: Date = Date(timeIntervalSince1970: 0)) -> Fetch {
        Fetch(prober: Prober(clock: clock), policy: policy, waiting: .never, environment: [:], date: { now })
    }

    @Test func `data is the body of a good response, and response is all of it`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("201 Created", "X-Test: 1", body: "fine")))
        let url = try #require(URL(string: server.url + "#part"))
        #expect(try await fetch().data(from: Fetch.Request(url)) == Data("fine".utf8))
        let response = try await fetch().response(to: Fetch.Request(server.url))
        #expect(response.status == 201)
        #expect(response.headers["x-test"] == "1")
        #expect(response.body == Data("fine".utf8))
        #expect(server.requests.allSatisfy { $0.hasPrefix("GET /hook HTTP/1.1\r\n") })
        try await server.stop()
    }

    @Test(arguments: [0, 1, 10, 25]) func `it is retried this often, and the error has the last one`(_ retries: Int)
        async throws
    {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy", "X-Test: 1", body: "later")))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch().data(from: Fetch.Request(server.url), maximumRetries: retries)
        }
        guard case .retriesExhausted(last: .status(let response), let tries) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.status == 503 && error?.response == response)
        #expect(tries == retries + 1 && server.requests.count == tries)
        // Full jitter: any pause up to a limit that doubles.
        let limits = [0.5, 1, 2, 4, 8, 16].map { Duration.seconds($0) } + Array(repeating: .seconds(30), count: 19)
        #expect(clock.pauses.count == retries)
        #expect(zip(clock.pauses, limits).allSatisfy { $0 >= .zero && $0 <= $1 })
        #expect(Set(clock.pauses).count == clock.pauses.count)
        try await server.stop()
    }

    @Test func `an empty body is an error only where a body is required, and is not retried`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("201 Created", "Location: /jobs/7")))
        let request = Fetch.Request(server.url)
        let created = try await fetch().response(to: request)
        #expect(created.status == 201 && created.body.isEmpty && created.headers["Location"] == "/jobs/7")
        #expect(try await fetch().data(from: request).isEmpty)
        #expect(server.requests.count == 2)
        await #expect(throws: Fetch.Error.emptyBody(created)) {
            try await fetch().data(from: request, requiresBody: true)
        }
        #expect(server.requests.count == 3)
        try await server.stop()
    }

    @Test(arguments: [("GET", "204 No Content"), ("GET", "205 Reset Content"), ("HEAD", "200 OK")])
    func `a response that cannot have a body is complete without one`(_ method: String, _ status: String) async throws {
        let server = try await ScriptedServer.on(.say(.answer(status, "X-Test: 1")))
        let request = Fetch.Request(server.url, method: method)
        let response = try await fetch().response(to: request, requiresBody: true)
        #expect(response.headers["X-Test"] == "1" && response.body.isEmpty)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test(arguments: ["404 Not Found", "418 Teapot", "501 Oops"])
    func `the error of a bad response has its fields and body`(_ status: String) async throws {
        let server = try await ScriptedServer.on(.say(.answer(status, "X-Test: 1", body: "because")))
        let error = await #expect(throws: Fetch.Error.self) { try await fetch().data(from: Fetch.Request(server.url)) }
        guard case .status(let response) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(status.hasPrefix("\(response.status) "))
        #expect(response.headers["X-Test"] == "1")
        #expect(response.body == Data("because".utf8))
        #expect(response.ending == .whole)
        #expect(error?.description == "HTTP \(response.status)")
        try await server.stop()
    }

    @Test func `cancellation during a pause ends the fetch at once`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")))
        let clock = RecordingClock(isStanding: true)
        let fetching = Task {
            try await Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:]).data(
                from: Fetch.Request(server.url)
            )
        }
        for await _ in clock.sleeps { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `cancellation during a try closes the connection`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (closed, close) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() }, onClose: { close.yield() })
        let fetching = Task { [self] in try await fetch().data(from: Fetch.Request(server.url, timeout: .seconds(600)))
        }
        for await _ in arrivals { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        for await _ in closed { break }
        try await server.stop()
    }

    @Test(
        arguments: [
            (["Retry-After: 7"], Duration.seconds(7)), (["Retry-After: Thu, 01 Jan 1970 00:00:09 GMT"], .seconds(9)),
            (["Date: Sat, 21 Nov 2026 04:00:00 GMT", "Retry-After: Sat, 21 Nov 2026 04:00:03 GMT"], .seconds(3)),
            (["Retry-After: 60"], .seconds(60)),
        ]
    )
    func `Retry-After is a number of seconds or a date`(_ fields: [String], _ pause: Duration) async throws {
        let lines = ["HTTP/1.1 429 Slow down", "Content-Length: 0"] + fields + ["", ""]
        let server = try await ScriptedServer.on(
            .say(lines.joined(separator: "\r\n")),
            .say(.answer("200 OK", body: "fine"))
        )
        _ = try await fetch().data(from: Fetch.Request(server.url))
        #expect(clock.pauses == [pause])
        try await server.stop()
    }

    @Test func `a longer Retry-After ends the fetch at once`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy", "Retry-After: 3600")))
        let now = Date(timeIntervalSince1970: 1_795_219_200)
        let error = await #expect(throws: Fetch.Error.retryAfter(now + 3_600)) {
            try await fetch(now: now).data(from: server.url)
        }
        #expect(error?.description == "the server is busy until 2026-11-21T01:00:00Z")
        #expect(clock.pauses.isEmpty)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a Retry-After beyond the time limit ends the fetch at once`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy", "Retry-After: 30")))
        let now = Date(timeIntervalSince1970: 1_795_219_200)
        // Its sleeps, such as that of the time limit, do not end.
        let clock = RecordingClock(isStanding: true)
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:], date: { now })
        await #expect(throws: Fetch.Error.retryAfter(now + 30)) {
            try await fetch.data(from: server.url, within: .seconds(4))
        }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test(arguments: [(999, 999), (1_000, 1_000), (1_001, 1_000), (5_000, 1_000)])
    func `the body of a bad response is kept up to the limit`(_ length: Int, _ kept: Int) async throws {
        let server = try await ScriptedServer.on(.say(.answer("404 No", body: String(repeating: "a", count: length))))
        let request = Fetch.Request(server.url, maximumBodySize: 1_000)
        let error = await #expect(throws: Fetch.Error.self) { try await fetch().data(from: request) }
        #expect(error?.response?.body.count == kept)
        #expect(error?.response?.ending == (kept == length ? .whole : .truncated))
        try await server.stop()
    }

    /// A policy that renews a token after HTTP 401.
    private let renewing = Fetch.Policy(retrier: { error, request, tries in
        switch error.response?.status {
        case 401:
            await Task.yield()
            request.headers[.authorization] = "token \(tries)"
            return .retry
        case 409: return .retryAfter(.seconds(7))
        case 503: return .fail
        default: return .standard
        }
    })

    @Test func `a retrier can wait, change the header fields and choose the pause, for any method`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("401 Unauthorized")),
            .say(.answer("409 Conflict")),
            .say(.answer("200 OK", body: "fine"))
        )
        let request = Fetch.Request(server.url, method: "POST", body: "payload")
        #expect(try await fetch(policy: renewing).data(from: request) == Data("fine".utf8))
        #expect(server.requests.map { $0.contains("\r\nAuthorization: token 1\r\n") } == [false, true, true])
        #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\npayload") })
        #expect(clock.pauses.last == .seconds(7))
        try await server.stop()
    }

    @Test(arguments: [("503 Busy", 1, 1), ("401 Unauthorized", 2, 3), ("502 Bad", 2, 3), ("404 No", 2, 1)])
    func `a retrier can fail, and is not asked when the retries are used up`(
        _ status: String,
        _ retries: Int,
        _ count: Int
    ) async throws {
        let server = try await ScriptedServer.on(.say(.answer(status)))
        await #expect(throws: Fetch.Error.self) {
            try await fetch(policy: renewing).data(from: server.url, maximumRetries: retries)
        }
        #expect(server.requests.count == count)
        try await server.stop()
    }

    @Test func `a text, a URL and a request are fetched`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let url = try #require(URL(string: server.url))
        let fine = Data("fine".utf8)
        #expect(try await fetch().data(from: server.url) == fine)
        #expect(try await fetch().data(from: "http://127.0.0.1:\(server.port)/hook") == fine)
        #expect(try await fetch().data(from: url) == fine)
        #expect(try await fetch().data(from: Fetch.Request(url, timeout: .seconds(5))) == fine)
        #expect(try await fetch().data(from: Fetch.Request(url, headers: ["Accept": "text/plain"])) == fine)
        #expect(try await fetch().data(from: Fetch.Request(server.url, headers: [.accept: "text/plain"])) == fine)
        #expect(server.requests.count { $0.contains("\r\nAccept: text/plain\r\n") } == 2)
        #expect(server.requests.allSatisfy { $0.hasPrefix("GET /hook HTTP/1.1\r\n") })
        try await server.stop()
    }

    @Test(
        arguments: [
            (Fetch.Policy(), [:], 1), (Fetch.Policy(repeatsAnyMethod: true), [:], 2),
            (Fetch.Policy(), ["idempotency-key": "7"], 2),
        ] as [(Fetch.Policy, [String: String], Int)]
    )
    func `a POST is sent again only with a key or by the policy`(
        _ policy: Fetch.Policy,
        _ headers: [String: String],
        _ count: Int
    ) async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let request = Fetch.Request(server.url, method: "POST", headers: headers, body: "payload")
        let result = await Result { try await fetch(policy: policy).data(from: request) }
        if count == 2 {
            #expect(try result.get() == Data("fine".utf8))
        } else {
            guard case .failure(Fetch.Error.status) = result else { return #expect(Bool(false), "\(result)") }
        }
        #expect(server.requests.count == count)
        #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\npayload") })
        try await server.stop()
    }

    @Test func `another policy retries other errors`() async throws {
        let eager = Fetch.Policy { error in
            switch error {
            case .status(let response): response.status == 404
            case .emptyBody: true
            default: false
            }
        }
        let server = try await ScriptedServer.on(
            .say(.answer("404 Not yet")),
            .say(.answer("200 OK")),
            .say(.answer("200 OK", body: "fine"))
        )
        #expect(
            try await fetch(policy: eager).data(from: Fetch.Request(server.url), requiresBody: true)
                == Data("fine".utf8)
        )
        #expect(server.requests.count == 3)
        try await server.stop()

        let busy = try await ScriptedServer.on(.say(.answer("503 Busy")))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch(policy: eager).data(from: Fetch.Request(busy.url))
        }
        guard case .status = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(busy.requests.count == 1)
        try await busy.stop()
    }

    @Test(arguments: [(3, true), (4, false)])
    func `a body above the limit is an error`(_ limit: Int, _ isTooLong: Bool) async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let request = Fetch.Request(server.url, maximumBodySize: limit)
        if isTooLong {
            await #expect(throws: Fetch.Error.tooLong(limit: 3)) { try await fetch().data(from: request) }
        } else {
            #expect(try await fetch().data(from: request) == Data("fine".utf8))
        }
        try await server.stop()
    }

    @Test(
        arguments: [
            ("ftp://me:secret@example.com/", "GET", "a"), ("", "GET", "a"), ("http://example.com/", "GE T", "a"),
            ("http://example.com/", "GET\r\nX: secret", "a"), ("http://example.com/", "GET", "a: b"),
            ("http://example.com/", "", "a"), ("file:///etc/passwd", "GET", "a"),
        ]
    )
    func `an invalid request is an error before anything is sent`(_ url: String, _ method: String, _ field: String)
        async
    {
        let request = Fetch.Request(url, method: method, headers: [field: "secret"])
        let error = await #expect(throws: Fetch.Error.self) { try await fetch().data(from: request) }
        guard case .invalid(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(!problem.isEmpty)
        #expect(!url.contains("secret") || !problem.contains("secret"))
    }

    @Test func `the value of a field cannot contain another field`() async {
        let request = Fetch.Request("http://127.0.0.1:1/", headers: ["X-Test": "1\r\nX-Other: 2"])
        let error = await #expect(throws: Fetch.Error.self) { try await fetch().data(from: request) }
        guard case .invalid = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// The time limit of a whole fetch.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchLimitTests {
    private func fetch(clock: RecordingClock) -> Fetch {
        Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
    }

    @Test func `a fetch within its limit is not affected`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = fetch(clock: RecordingClock(isStanding: true))
        #expect(try await fetch.data(from: server.url, within: .seconds(60)) == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `the limit ends a try, and closes the connection`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (closed, close) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() }, onClose: { close.yield() })
        let clock = GatedClock()
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let request = Fetch.Request(server.url, timeout: .seconds(600))
        let fetching = Task { try await fetch.data(from: request, within: .seconds(60)) }
        for await _ in arrivals { break }
        clock.open()
        await #expect(throws: Fetch.Error.expired(last: nil)) { try await fetching.value }
        for await _ in closed { break }
        try await server.stop()
    }

    @Test func `the error of an expired fetch has that of the last try`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")))
        let clock = GatedClock()
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let fetching = Task {
            try await fetch.data(from: server.url, within: .seconds(60)) { event in
                if case .pausing = event { clock.open() }
            }
        }
        let error = await #expect(throws: Fetch.Error.self) { try await fetching.value }
        guard case .expired(last: .status(let response)?) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.status == 503)
        #expect(error?.description == "time limit exceeded, last error: HTTP 503")
        try await server.stop()
    }

    @Test func `cancellation is not the limit`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() })
        let fetch = fetch(clock: RecordingClock(isStanding: true))
        let fetching = Task { try await fetch.data(from: server.url, within: .seconds(60)) }
        for await _ in arrivals { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        try await server.stop()
    }
}
