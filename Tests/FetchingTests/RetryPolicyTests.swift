import Fetching
import Monitoring
import TestSupport
import Testing

/// Whether a request is sent again, and after which pause.
@Suite struct RetryPolicyTests {
    /// A row of the table: after this, by this method, with this many retries behind it.
    struct Row: Sendable, CustomTestStringConvertible {
        let outcome: FetchOutcome
        var method = "GET"
        var repeatsAnyMethod = false
        var retriesBefore = 0
        /// The longest pause; nil where the request is not sent again.
        let limit: Duration?

        var testDescription: String { "\(method) after \(retriesBefore) retries: \(outcome.summary)" }
    }

    private static func failure(_ reason: Reason) -> FetchOutcome { .failure(Failure(reason)) }
    private static func status(_ status: Int, ending: FetchAnswer.Ending = .whole) -> FetchOutcome {
        .answer(FetchAnswer(status: status, ending: ending))
    }

    private static let half = Duration.milliseconds(500)

    private static let rows: [Row] =
        [Reason.refused, .reset, .closed, .hostUnreachable, .networkUnreachable, .nameNotFound, .resolverFailed]
        .map { Row(outcome: failure($0), limit: half) }
        + [Reason.tlsFailed, .certificateExpired, .certificateUntrusted, .certificateName, .protocolError, .prohibited]
        .map { Row(outcome: failure($0), limit: nil) }
        + [408, 429, 444, 503, 504, 599].map { Row(outcome: status($0), limit: half) }
        + [200, 204, 301, 304, 400, 401, 404, 410, 500, 501, 502, 505].map { Row(outcome: status($0), limit: nil) }
        + [
            Row(outcome: .timeout, limit: half),
            Row(outcome: .cancelled, limit: nil),
            Row(outcome: .fault(Fault(.tooManyFiles, detail: "")), limit: half),
            Row(outcome: .fault(Fault(.internal, detail: "")), limit: nil),
            Row(outcome: status(200, ending: .lost(Failure(.reset))), limit: half),
            Row(outcome: status(200, ending: .timeout), limit: half),
            Row(outcome: status(200, ending: .cut), limit: nil),
        ]
        + ["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].map { Row(outcome: .timeout, method: $0, limit: half) }
        + ["POST", "PATCH", "CONNECT", "get"].map { Row(outcome: .timeout, method: $0, limit: nil) }
        + [Row(outcome: .timeout, method: "POST", repeatsAnyMethod: true, limit: half)]
        + [1, 2, 4, 8, 16, 30, 30, 30, 30].enumerated().map {
            Row(outcome: .timeout, retriesBefore: $0.offset + 1, limit: .seconds($0.element))
        }
        + [Row(outcome: .timeout, retriesBefore: 10, limit: nil)]

    @Test(arguments: rows)
    func `only what can pass is tried again, and only what may be sent twice`(_ row: Row) {
        var policy = RetryPolicy(of: row.method, repeatsAnyMethod: row.repeatsAnyMethod)
        var high = Constant.high
        for _ in 0..<row.retriesBefore { _ = policy.pause(after: .timeout, using: &high) }
        #expect(policy.retriesSoFar == row.retriesBefore)
        #expect(policy.pause(after: row.outcome, using: &high) == row.limit)
    }

    @Test(arguments: [(-1, 0), (0, 0), (3, 3), (10, 10), (11, 10), (.max, 10)])
    func `ten retries are the most`(_ asked: Int, _ granted: Int) {
        var policy = RetryPolicy(of: "GET", retries: asked)
        var random = SplitMix(seed: 7)
        var count = 0
        while policy.pause(after: .timeout, using: &random) != nil { count += 1 }
        #expect(count == granted)
    }

    @Test(
        arguments: [
            (Duration.zero, Duration.zero), (.milliseconds(250), .milliseconds(250)), (.seconds(7), .seconds(7)),
            (.seconds(30), .seconds(30)), (.seconds(31), .seconds(30)), (.seconds(86_400), .seconds(30)),
        ]
    )
    func `a pause is as long as the server asks, but never over thirty seconds`(_ asked: Duration, _ pause: Duration) {
        var policy = RetryPolicy(of: "GET")
        var low = Constant.low
        let answer = FetchAnswer(status: 503, retryAfter: asked)
        #expect(policy.pause(after: .answer(answer), using: &low) == pause)
    }

    @Test func `a pause is not shorter than the draw when the server asks for less`() {
        var policy = RetryPolicy(of: "GET")
        var high = Constant.high
        let answer = FetchAnswer(status: 429, retryAfter: .zero)
        #expect(policy.pause(after: .answer(answer), using: &high) == .milliseconds(500))
    }

    @Test func `giving up says the last cause`() {
        let refused = FetchOutcome.failure(Failure(.refused))
        #expect(FetchResult(outcome: refused, tries: 1).summary == "connection refused")
        #expect(FetchResult(outcome: Self.status(503), tries: 11).summary == "HTTP 503, tried 11 times")
        let broken = Self.status(200, ending: .lost(Failure(.reset)))
        #expect(FetchResult(outcome: broken, tries: 2).summary == "HTTP 200, but then: connection reset, tried 2 times")
    }
}
