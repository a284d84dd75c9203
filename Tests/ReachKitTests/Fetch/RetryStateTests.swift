import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// Whether a request is sent again, and after which pause.
@Suite struct RetryStateTests {
    /// A row of the table: an error, the method, and the number of retries before it.
    struct Row: Sendable, CustomTestStringConvertible {
        /// Nil for a good response.
        let error: Fetch.Error?
        var method = "GET"
        var repeatsAnyMethod = false
        var retriesBefore = 0
        /// The longest pause; nil where the request is not sent again.
        let limit: Duration?

        var testDescription: String { "\(method) after \(retriesBefore) retries: \(error?.description ?? "success")" }
    }

    private static func failure(_ reason: Reason) -> Fetch.Error { Fetch.Error(Failure(reason)) }
    private static func status(_ status: Int, ending: Fetch.Response.BodyEnding = .whole) -> Fetch.Error? {
        Fetch.Response(status: status, ending: ending).error(requiresBody: false, maxBodyLength: 0)
    }

    private static let half = Duration.milliseconds(500)

    private static let rows: [Row] =
        [Reason.refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .nameNotFound, .resolverFailed]
        .map { Row(error: failure($0), limit: half) }
        + [Reason.tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .protocolError, .prohibited]
        .map { Row(error: failure($0), limit: nil) }
        + [408, 429, 444, 503, 504, 599].map { Row(error: status($0), limit: half) }
        + [200, 204, 301, 304, 400, 401, 404, 410, 500, 501, 502, 505].map { Row(error: status($0), limit: nil) }
        + [
            Row(error: .timeout, limit: half),
            Row(error: .cancelled, limit: nil),
            Row(error: .fault(Fault(.tooManyFiles, detail: "")), limit: half),
            Row(error: .fault(Fault(.internal, detail: "")), limit: nil),
            Row(error: status(200, ending: .lost(Failure(.reset))), limit: half),
            Row(error: status(200, ending: .timeout), limit: half),
            Row(error: status(200, ending: .truncated), limit: nil),
        ]
        + ["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].map { Row(error: .timeout, method: $0, limit: half) }
        + ["POST", "PATCH", "CONNECT", "get"].map { Row(error: .timeout, method: $0, limit: nil) }
        + [Row(error: .timeout, method: "POST", repeatsAnyMethod: true, limit: half)]
        + [1, 2, 4, 8, 16, 30, 30, 30, 30].enumerated().map {
            Row(error: .timeout, retriesBefore: $0.offset + 1, limit: .seconds($0.element))
        }
        + [Row(error: .timeout, retriesBefore: 10, limit: nil)]

    @Test(arguments: rows)
    func `only transient errors of idempotent requests are retried`(_ row: Row) {
        var state = RetryState(
            of: Fetch.Request("http://example.com/", method: row.method),
            policy: Fetch.Policy(repeatsAnyMethod: row.repeatsAnyMethod)
        )
        var high = Constant.high
        for _ in 0..<row.retriesBefore { _ = state.pause(after: .timeout, using: &high) }
        #expect(state.count == row.retriesBefore)
        #expect(row.error.flatMap { state.pause(after: $0, using: &high) } == row.limit)
    }

    @Test(arguments: [(-1, 0), (0, 0), (3, 3), (10, 10), (11, 10), (.max, 10)])
    func `there are at most ten retries`(_ requested: Int, _ expected: Int) {
        var state = RetryState(of: "http://example.com/", retries: requested)
        var random = SplitMix(seed: 7)
        var count = 0
        while state.pause(after: .timeout, using: &random) != nil { count += 1 }
        #expect(count == expected)
    }

    @Test(
        arguments: [
            (Duration.zero, Duration.zero), (.milliseconds(250), .milliseconds(250)), (.seconds(7), .seconds(7)),
            (.seconds(30), .seconds(30)), (.seconds(31), .seconds(30)), (.seconds(86_400), .seconds(30)),
        ]
    )
    func `a pause follows Retry-After, up to thirty seconds`(_ retryAfter: Duration, _ pause: Duration) {
        var state = RetryState(of: "http://example.com/")
        var low = Constant.low
        let response = Fetch.Response(status: 503, retryAfter: retryAfter)
        #expect(state.pause(after: .status(response), using: &low) == pause)
    }

    @Test func `a shorter Retry-After does not shorten the pause`() {
        var state = RetryState(of: "http://example.com/")
        var high = Constant.high
        let response = Fetch.Response(status: 429, retryAfter: .zero)
        #expect(state.pause(after: .status(response), using: &high) == .milliseconds(500))
    }

    @Test func `the description has the cause`() {
        #expect(Self.failure(.refused).description == "refused")
        #expect(Self.status(503)?.description == "HTTP 503")
        let broken = Self.status(200, ending: .lost(Failure(.reset)))
        #expect(broken?.description == "HTTP 200, but then: reset")
    }
}
