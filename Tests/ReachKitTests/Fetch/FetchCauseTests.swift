import Foundation
import ReachKit
import TestSupport
import Testing

/// Which causes are tried again: the table of Alley (`NetworkError.shouldRetry`), against a server on loopback.
@Suite(.timeLimit(.minutes(1))) struct FetchCauseTests {
    /// What a server does at first, and whether it is asked again.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let deed: ScriptedServer.Deed
        let isTriedAgain: Bool
        var testDescription: String { name }
    }

    private static let rows: [Row] =
        [
            Row(name: "timed out", deed: .hold(""), isTriedAgain: true),
            Row(name: "connection lost", deed: .breakOff(after: ""), isTriedAgain: true),
            Row(name: "closed without a word", deed: .say(""), isTriedAgain: true),
            Row(
                name: "lost in the answer",
                deed: .say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha"),
                isTriedAgain: true
            ),
            Row(
                name: "silent in the answer",
                deed: .hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha"),
                isTriedAgain: true
            ),
            Row(name: "no HTTP", deed: .say("SSH-2.0-OpenSSH_9.2\r\n\r\n"), isTriedAgain: false),
        ]
        + [408, 429, 444, 503, 504, 599].map {
            Row(name: "HTTP \($0)", deed: .say(.answer("\($0) Later")), isTriedAgain: true)
        }
        + [304, 400, 401, 403, 404, 410, 500, 501, 502, 505].map {
            Row(name: "HTTP \($0)", deed: .say(.answer("\($0) No")), isTriedAgain: false)
        }

    @Test(arguments: rows) func `only what can pass is tried again`(_ row: Row) async throws {
        let server = try await ScriptedServer.on(row.deed, .say(.answer("200 OK", body: "fine")))
        let fetch = Fetch(by: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
        let request = Fetch.Request(server.url, timeout: .milliseconds(300))
        if row.isTriedAgain {
            #expect(try await fetch.data(from: request) == Data("fine".utf8))
        } else {
            let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: request) }
            #expect(error?.isRetryable == false)
        }
        #expect(server.requests.count == (row.isTriedAgain ? 2 : 1))
        try await server.stop()
    }

    @Test(arguments: [("http://nowhere.invalid/", "name_not_found"), ("", "refused")])
    func `a name that is not found and a host that refuses are tried again`(
        _ url: String,
        _ reason: String
    ) async throws {
        let server = try await ScriptedServer.on(.say(""))
        let closed = server.url
        try await server.stop()
        let clock = RecordingClock()
        let fetch = Fetch(by: Prober(clock: clock), waiting: .never, environment: [:])
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: Fetch.Request(url.isEmpty ? closed : url), retries: 2)
        }
        guard case .inaccessible(last: .network(let failure)) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.reason.rawValue == reason)
        #expect(failure.httpStatus == nil)
        #expect(clock.pauses.count == 2)
    }
}
