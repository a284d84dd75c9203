import Foundation
import ReachKit
import TestSupport
import Testing

/// Which errors are retried: the table of Alley (`NetworkError.shouldRetry`), against a server on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchCauseTests {
    /// The first response of a server, and whether the request is retried.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let deed: ScriptedServer.Action
        let isRetried: Bool
        var testDescription: String { name }
    }

    private static let rows: [Row] =
        [
            Row(name: "timed out", deed: .hold(""), isRetried: true),
            Row(name: "connection lost", deed: .breakOff(after: ""), isRetried: true),
            Row(name: "closed without a response", deed: .say(""), isRetried: true),
            Row(
                name: "lost during the response",
                deed: .say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha"),
                isRetried: true
            ),
            Row(
                name: "timeout during the response",
                deed: .hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha"),
                isRetried: true
            ),
            Row(name: "not HTTP", deed: .say("SSH-2.0-OpenSSH_9.2\r\n\r\n"), isRetried: false),
        ]
        + [408, 429, 444, 500, 502, 503, 504, 522, 524, 599].map {
            Row(name: "HTTP \($0)", deed: .say(.answer("\($0) Later")), isRetried: true)
        }
        + [304, 400, 401, 403, 404, 410, 501, 505, 523].map {
            Row(name: "HTTP \($0)", deed: .say(.answer("\($0) No")), isRetried: false)
        }

    @Test(arguments: rows) func `only transient errors are retried`(_ row: Row) async throws {
        let server = try await ScriptedServer.on(row.deed, .say(.answer("200 OK", body: "fine")))
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        let request = Fetch.Request(server.url, timeout: .milliseconds(300))
        if row.isRetried {
            #expect(try await fetch.data(from: request) == Data("fine".utf8))
        } else {
            let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: request) }
            #expect(error?.isRetryable == false)
        }
        #expect(server.requests.count == (row.isRetried ? 2 : 1))
        try await server.stop()
    }

    @Test(arguments: [("http://nowhere.invalid/", "name_not_found"), (ScriptedServer.closedURL, "refused")])
    func `a name that is not found and a refused connection are retried`(
        _ url: String,
        _ reason: String
    ) async throws {
        let clock = RecordingClock()
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: Fetch.Request(url), maximumRetries: 2)
        }
        guard case .retriesExhausted(last: .network(let failure)) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.reason.rawValue == reason)
        #expect(failure.httpStatus == nil)
        #expect(clock.pauses.count == 2)
    }
}
