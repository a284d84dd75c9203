/// Why a query has no result.
package enum QueryFailure: Error, Sendable, Hashable {
    /// There was no answer: the failure of the connection, or the timeout.
    case unreachable(String)
    /// The server rejected the query: its own words, such as `parse error: unclosed left parenthesis`.
    case rejected(type: String, String)
    /// The server rejected the credentials, or requires some.
    case unauthorized(status: Int)
    /// The HTTP status is not a good one, and the body has no error of Prometheus.
    case status(Int)
    /// The body is not JSON of Prometheus: a page of a proxy, for example.
    case notJSON(String)
    /// The body ended early.
    case incomplete
    /// The body is longer than the limit.
    case tooLong
    /// A file with credentials or certificates cannot be read, or the settings of the server are invalid.
    case settings(String)

    /// Whether the server as a whole does not answer, so that other queries would fail as well.
    package var isOfServer: Bool {
        switch self {
        case .unreachable, .unauthorized, .status, .notJSON, .incomplete, .settings: true
        case .rejected(let type, _): ["unavailable", "internal"].contains(type)
        case .tooLong: false
        }
    }

    /// Whether a query for fewer series may succeed.
    package var isOfSize: Bool {
        switch self {
        case .tooLong: true
        case .rejected(_, let text): text.contains("too many samples") || text.contains("maximum resolution")
        default: false
        }
    }

    /// The failure with the server's own words replaced, as by a redaction.
    package func mapText(_ replaced: (String) -> String) -> QueryFailure {
        switch self {
        case .unreachable(let text): .unreachable(replaced(text))
        case .rejected(let type, let text): .rejected(type: replaced(type), replaced(text))
        case .notJSON(let text): .notJSON(replaced(text))
        case .settings(let text): .settings(replaced(text))
        case .unauthorized, .status, .incomplete, .tooLong: self
        }
    }

    /// The failure as part of a sentence.
    package var text: String {
        switch self {
        case .unreachable(let text), .notJSON(let text), .settings(let text): text
        case .rejected(let type, let text): type.isEmpty ? text : "\(text) (\(type))"
        case .unauthorized(401): "HTTP 401: it requires credentials, or rejected them"
        case .unauthorized(let status): "HTTP \(status): the credentials do not permit queries"
        case .status(let status): "HTTP \(status)"
        case .incomplete: "the answer ended early"
        case .tooLong: "the answer is too long"
        }
    }
}
