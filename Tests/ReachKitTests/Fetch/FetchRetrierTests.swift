import Foundation
import ReachKit
import TestSupport
import Testing

/// The decisions of a policy's retrier, and the pauses that it chooses.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchRetrierTests {
    private let clock = RecordingClock()

    private func fetch(
        clock: RecordingClock? = nil,
        policy: Fetch.Policy = Fetch.Policy(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) -> Fetch {
        Fetch(
            prober: Prober(clock: clock ?? self.clock),
            policy: policy,
            waiting: .never,
            environment: [:],
            date: date
        )
    }

    @Test(arguments: [Fetch.Policy.Decision.retry, .retryAfter(.seconds(1))])
    func `retries that the retrier has used up are exhausted`(_ decision: Fetch.Policy.Decision) async throws {
        let server = try await ScriptedServer.on(.say(.answer("404 Not Found")))
        let policy = Fetch.Policy(retrier: { _, _, _ in decision })
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch(policy: policy).data(from: server.url, maximumRetries: 2)
        }
        guard case .retriesExhausted(last: .status(let response), tries: 3) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.status == 404)
        #expect(server.requests.count == 3)
        try await server.stop()
    }

    @Test func `another error after the last retry of the retrier is the error itself`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("401 Unauthorized")), .say(.answer("404 Not Found")))
        let policy = Fetch.Policy(retrier: { _, _, _ in .retry })
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch(policy: policy).data(from: server.url, maximumRetries: 1)
        }
        guard case .status(let response) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(response.status == 404)
        try await server.stop()
    }

    @Test func `a pause that no clock can measure is shortened`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let policy = Fetch.Policy(retrier: { _, _, _ in .retryAfter(.seconds(Int64.max)) })
        #expect(try await fetch(policy: policy).data(from: server.url) == Data("fine".utf8))
        #expect(clock.pauses == [.seconds(3_153_600_000)])
        try await server.stop()
    }

    @Test func `a Retry-After that no clock can measure is shortened`() async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy", "Retry-After: 999999999999")),
            .say(.answer("200 OK", body: "fine"))
        )
        let policy = Fetch.Policy(maximumRetryAfter: .seconds(Int64.max))
        #expect(try await fetch(policy: policy).data(from: server.url) == Data("fine".utf8))
        #expect(clock.pauses == [.seconds(3_153_600_000)])
        try await server.stop()
    }

    @Test func `a pause of the retrier beyond the time limit ends the fetch at once`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("409 Conflict")))
        let policy = Fetch.Policy(retrier: { _, _, _ in .retryAfter(.seconds(Int64.max)) })
        // Its sleeps, such as that of the time limit, do not end.
        let fetch = fetch(clock: RecordingClock(isStanding: true), policy: policy)
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: server.url, within: .seconds(4))
        }
        guard case .expired(last: .status(let response)?) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.status == 409)
        try await server.stop()
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `a date that is not finite counts as 1970`(_ seconds: Double) async throws {
        let server = try await ScriptedServer.on(
            .say(.answer("503 Busy", "Retry-After: Thu, 01 Jan 1970 01:00:00 GMT"))
        )
        let fetch = fetch { Date(timeIntervalSince1970: seconds) }
        let error = await #expect(throws: Fetch.Error.retryAfter(Date(timeIntervalSince1970: 3_600))) {
            try await fetch.data(from: server.url)
        }
        #expect(error?.description == "the server is busy until 1970-01-01T01:00:00Z")
        #expect(error?.response == nil)
        try await server.stop()
    }
}
