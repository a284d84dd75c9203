/// A request to the HTTP API of a server.
package struct QueryRequest: Sendable, Hashable {
    /// The path after the URL of the server: `/api/v1/query`.
    package let path: String
    /// The parameters in order, not encoded.
    package let parameters: [Parameter]
    /// The longest time until the end of the answer.
    package let timeout: Duration
    /// What is kept of the answer.
    package let limits: QueryResultReader.Limits

    /// A name with its value.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The time that the answer of a slow query takes beyond the query's own limit.
    private static let margin = Duration.seconds(2)

    /// A query for the values of an expression at a time, in seconds since 1970; nil for the present ones. The server cancels
    /// it after the timeout. All series are read: without a part of them, a target would have a wrong verdict. If they are
    /// too many bytes, the query fails.
    static func instant(_ expression: String, at time: Double? = nil, timeout: Duration) -> QueryRequest {
        let moment = time.map { [Parameter(name: "time", value: String($0))] } ?? []
        return QueryRequest(
            path: "/api/v1/query",
            parameters: [Parameter(name: "query", value: expression)] + moment + [
                Parameter(name: "timeout", value: "\(timeout.components.seconds)s"),
                Parameter(name: "stats", value: "true"),
            ],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(samples: .max, points: 1)
        )
    }

    /// A query for the values of an expression over a time, in seconds since 1970. The step is at least so long that the
    /// server returns the range.
    static func range(_ expression: String, _ span: QuerySpan, timeout: Duration, series: Int) -> QueryRequest {
        QueryRequest(
            path: "/api/v1/query_range",
            parameters: [
                Parameter(name: "query", value: expression),
                Parameter(name: "start", value: String(span.start)),
                Parameter(name: "end", value: String(span.end)),
                Parameter(name: "step", value: String(span.step)),
                Parameter(name: "timeout", value: "\(timeout.components.seconds)s"),
                // Only newer servers have the limit; the others ignore it. One more shows that there are more.
                Parameter(name: "limit", value: String(series + 1)),
            ],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(samples: series)
        )
    }

    /// A request for the names of all metrics, or of all labels.
    static func list(_ path: String, timeout: Duration) -> QueryRequest {
        QueryRequest(
            path: path,
            parameters: [Parameter(name: "limit", value: String(longestList))],
            timeout: timeout + margin,
            limits: QueryResultReader.Limits(samples: longestList)
        )
    }

    private static let longestList = 50_000
}
