import ReachMonitoring
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
        Fetch.Response(status: status, ending: ending).error(requiresBody: false, maximumBodySize: 0)
    }

    private static let half = Duration.milliseconds(500)

    private static let rows: [Row] =
        [Reason.refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .nameNotFound, .resolverFailed]
        .map { Row(error: failure($0), limit: half) }
        + [Reason.tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .protocolError, .prohibited]
        .map { Row(error: failure($0), limit: nil) }
        + [408, 429, 444, 500, 502, 503, 504, 522, 524, 599].map { Row(error: status($0), limit: half) }
        + [200, 204, 301, 304, 400, 401, 404, 410, 501, 505, 523].map { Row(error: status($0), limit: nil) }
        + [
            Row(error: .timeout, limit: half),
            Row(error: .cancelled, limit: nil),
            Row(error: .fault(Fault(.tooManyFiles, detail: "")), limit: half),
            Row(error: .fault(Fault(.internal, detail: "")), limit: nil),
            Row(error: status(200, ending: .lost(Fetch.TransportError(.reset))), limit: half),
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

    @Test(arguments: [(-1, 0), (0, 0), (3, 3), (10, 10), (25, 25), (100, 100)])
    func `the number of retries is the requested one`(_ requested: Int, _ expected: Int) {
        var state = RetryState(of: "http://example.com/", maximumRetries: requested)
        var random = SplitMix(seed: 7)
        var count = 0
        while state.pause(after: .timeout, using: &random) != nil { count += 1 }
        #expect(count == expected)
    }

    @Test(
        arguments: [
            (Fetch.Policy(), [0.5, 1, 2, 4, 8, 16, 30, 30]),
            (Fetch.Policy(basePause: .milliseconds(100)), [0.1, 0.2, 0.4, 0.8]),
            (Fetch.Policy(basePause: .seconds(2), maximumPause: .seconds(5)), [2, 4, 5, 5]),
            (Fetch.Policy(basePause: .seconds(60), maximumPause: .seconds(10)), [10, 10]),
            (Fetch.Policy(basePause: .seconds(-1)), [0, 0]),
            (Fetch.Policy(basePause: .seconds(Int64.max), maximumPause: .seconds(Int64.max)), [86_400, 86_400]),
        ] as [(Fetch.Policy, [Double])]
    )
    func `the limit of the pauses grows from the base to the maximum`(_ policy: Fetch.Policy, _ limits: [Double]) {
        var state = RetryState(of: "http://example.com/", policy: policy)
        var high = Constant.high
        #expect(limits.map { _ in state.pause(after: .timeout, using: &high) } == limits.map { .seconds($0) })
    }

    @Test(
        arguments: [
            (Duration.zero, Duration.zero), (.milliseconds(250), .milliseconds(250)), (.seconds(7), .seconds(7)),
            (.seconds(31), .seconds(31)), (.seconds(60), .seconds(60)),
        ]
    )
    func `a pause follows Retry-After, up to the cap`(_ retryAfter: Duration, _ pause: Duration) {
        var state = RetryState(of: "http://example.com/")
        var low = Constant.low
        let response = Fetch.Response(status: 503, retryAfter: retryAfter)
        #expect(state.excessiveDelay(after: .status(response)) == nil)
        #expect(state.pause(after: .status(response), using: &low) == pause)
    }

    @Test func `a Retry-After beyond the cap is excessive while there are retries`() {
        let error = Fetch.Error.status(Fetch.Response(status: 503, retryAfter: .seconds(3_600)))
        let request: Fetch.Request = "http://example.com/"
        #expect(RetryState(of: request).excessiveDelay(after: error) == .seconds(3_600))
        #expect(RetryState(of: request, maximumRetries: 0).excessiveDelay(after: error) == nil)
        let patient = Fetch.Policy(maximumRetryAfter: .seconds(3_600))
        #expect(RetryState(of: request, policy: patient).excessiveDelay(after: error) == nil)
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
        let broken = Self.status(200, ending: .lost(Fetch.TransportError(.reset)))
        #expect(broken?.description == "connection lost")
    }
}

/// Parsing of `Retry-After`.
@Suite struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z
    private static let now: Int64 = 784_111_777

    @Test(
        arguments: [
            ("0", Duration.zero), ("1", .seconds(1)), ("120", .seconds(120)),
            ("99999999999999999999", .seconds(999_999_999_999)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sunday, 06-Nov-94 08:50:37 GMT", .seconds(60)),
            ("Sun Nov  6 09:49:37 1994", .seconds(3_600)),
            ("Sun, 06 Nov 1994 08:49:36 GMT", .zero),
            ("Thu, 01 Jan 1970 00:00:00 GMT", .zero),
            ("Wed, 29 Feb 2012 00:00:00 GMT", .seconds(1_330_473_600 - 784_111_777)),
            ("Sat, 31 Dec 2016 23:59:60 GMT", .seconds(1_483_228_800 - 784_111_777)),
        ]
    )
    func `seconds and the three forms of a date are parsed`(_ value: String, _ pause: Duration) {
        #expect(Duration(retryAfter: value, date: nil, now: Self.now) == pause)
    }

    @Test(
        arguments: [
            "", "-1", "+1", "1.5", "1s", "soon", " ", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 19945 08:49:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "٣", "Sun Nov 6 08:49:37 94",
        ]
    )
    func `malformed values are ignored`(_ value: String) {
        #expect(Duration(retryAfter: value, date: nil, now: Self.now) == nil)
    }

    @Test func `a date is relative to the Date of the server`() {
        let pause = Duration(
            retryAfter: "Sun, 06 Nov 2033 08:00:05 GMT",
            date: "Sun, 06 Nov 2033 08:00:00 GMT",
            now: Self.now
        )
        #expect(pause == .seconds(5))
    }

    @Test func `a year of two digits is not far in the future`() {
        // 2026-11-21
        let now: Int64 = 1_795_219_200
        #expect(HTTPDate("Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.seconds == Self.now)
        #expect(HTTPDate("Sunday, 21-Nov-27 00:00:00 GMT", now: now)?.seconds == now + 365 * 86_400)
    }
}
