import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// The error of a try: its kind, its description, and whether it is retryable.
@Suite struct FetchErrorTests {
    private func error(_ response: Fetch.Response, requiresBody: Bool = true) -> Fetch.Error? {
        response.error(requiresBody: requiresBody, maximumBodySize: 7)
    }

    @Test(arguments: Reason.allCases) func `errors of the network are transient, verdicts are not`(
        _ reason: ReachMonitoring.Reason
    ) {
        let passing: Set<Reason> = [
            .refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .ttlExceeded, .nameNotFound,
            .resolverFailed, .serverError, .noRoute, .linkDown,
        ]
        let error = Fetch.Error(Failure(reason))
        #expect(error.isRetryable == passing.contains(reason))
        #expect(error.description == reason.words)
        if reason == .protocolError {
            #expect(error == .notHTTP(reason.words))
        } else {
            #expect(error == .network(Fetch.TransportError(reason)))
        }
    }

    @Test func `out of descriptors is transient, other faults are not`() {
        #expect(Fetch.Error.fault(Fault(.tooManyFiles, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.noMemory, detail: "")).isRetryable == true)
        #expect(Fetch.Error.fault(Fault(.internal, detail: "")).isRetryable == false)
        #expect(Fetch.Error.timeout.isRetryable == true)
        #expect(Fetch.Error.timeout.description == "timeout")
    }

    @Test func `a good response with the required body is not an error`() {
        let body = Data("fine".utf8)
        #expect(error(Fetch.Response(status: 200, body: body)) == nil)
        let created = Fetch.Response(status: 201, headers: [.location: "/jobs/7"])
        #expect(error(created) == .emptyBody(created))
        #expect(error(created, requiresBody: false) == nil)
        #expect(error(Fetch.Response(status: 204)) == nil)
        #expect(error(Fetch.Response(status: 205)) == nil)
        #expect(error(Fetch.Response(status: 304)) == .status(Fetch.Response(status: 304)))
        #expect(error(Fetch.Response(status: 200, body: body, ending: .truncated)) == .tooLong(limit: 7))
        let lost = error(Fetch.Response(status: 200, body: body, ending: .lost(Fetch.TransportError(.reset))))
        #expect(lost?.description == "connection lost")
        #expect(lost?.isRetryable == true)
    }

    @Test func `too many redirects are not a protocol error`() {
        let failure = Failure(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(Fetch.Error(failure) == .network(Fetch.TransportError(failure)))
    }

    @Test func `a bad response is retryable by its status, or if it is incomplete`() {
        #expect(error(Fetch.Response(status: 503))?.isRetryable == true)
        #expect(error(Fetch.Response(status: 501))?.isRetryable == false)
        #expect(error(Fetch.Response(status: 501, ending: .timeout))?.isRetryable == true)
        let empty = Fetch.Error.emptyBody(Fetch.Response(status: 200))
        #expect(Fetch.Error.retriesExhausted(last: empty, tries: 2).isRetryable == false)
    }

    @Test func `the error of the last try is described with the number of tries`() {
        let busy = Fetch.Error.status(Fetch.Response(status: 503))
        #expect(Fetch.Error.retriesExhausted(last: busy, tries: 11).description == "given up after 11 tries: HTTP 503")
        #expect(Fetch.Error.retriesExhausted(last: busy, tries: 1).description == "HTTP 503")
    }

    @Test func `the response is that of the last try, through all cases`() {
        let response = Fetch.Response(status: 503)
        let busy = Fetch.Error.status(response)
        for error in [
            busy, .incomplete(response), .emptyBody(response), .retriesExhausted(last: busy, tries: 11),
            .expired(last: busy), .expired(last: .retriesExhausted(last: .incomplete(response), tries: 2)),
        ] { #expect(error.response == response) }
        for error in [Fetch.Error.timeout, .cancelled, .expired(last: nil), .tooLong(limit: 7), .notHTTP("")] {
            #expect(error.response == nil)
        }
    }
}

/// The values of a fetch as JSON.
@Suite struct FetchCodingTests {
    private func coded<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test(
        arguments: [
            .whole, .truncated, .timeout, .lost(Fetch.TransportError(.reset)),
            .lost(Fetch.TransportError(.nameNotFound, detail: "the name nowhere.invalid was not found")),
        ] as [Fetch.Response.BodyEnding]
    )
    func `a response is the same after coding`(_ ending: Fetch.Response.BodyEnding) throws {
        let response = Fetch.Response(
            status: 503,
            headers: [.contentType: "text/plain", .retryAfter: "7"],
            body: Data("later".utf8),
            ending: ending,
            retryAfter: .seconds(7)
        )
        #expect(try coded(response) == response)
    }

    @Test(arguments: [.never, .betweenTries(atMost: .seconds(7)), .beforeEachTry(atMost: nil)] as [Fetch.Waiting])
    func `when a fetch waits is the same after coding`(_ waiting: Fetch.Waiting) throws {
        #expect(try coded(waiting) == waiting)
    }

    @Test func `an unknown reason cannot be decoded`() throws {
        let error = Fetch.TransportError(.protocolError, detail: "redirected more than once", httpStatus: 302)
        #expect(try coded(error) == error)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Fetch.TransportError.self, from: Data(#"{"reason": "boredom"}"#.utf8))
        }
    }
}

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
        guard case .retriesExhausted(last: .network(let failure), tries: 3) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(failure.reason.rawValue == reason)
        #expect(failure.httpStatus == nil)
        #expect(clock.pauses.count == 2)
    }
}
