/// A text format for metrics.
public enum MetricsFormat: Sendable, Hashable, CaseIterable {
    /// Prometheus's text format, version 0.0.4
    /// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
    case text
    /// OpenMetrics, version 1.0.0
    /// (https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md).
    case openMetrics

    /// The value of `Content-Type`.
    public var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The format that a client prefers (RFC 9110 §12.5.1): OpenMetrics if `Accept` gives a supported version of it at least
    /// the weight of plain text, plain text otherwise.
    ///
    /// - Parameter accept: the value of `Accept`; nil if the request has none.
    public init(accepting accept: String?) {
        var weights: [Self: Double] = [:]
        for range in (accept ?? "").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            let parameters = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
            let value = { (name: String) in parameters.first { $0[0] == name }.map { $0[1].filter { $0 != "\"" } } }
            let weight = value("q").map { Double($0) ?? 0 } ?? 1
            switch parts.first {
            case "application/openmetrics-text":
                guard ["1.0.0", "0.0.1", nil].contains(value("version")) else { continue }
                weights[.openMetrics] = max(weights[.openMetrics] ?? 0, weight)
            case "text/plain", "text/*", "*/*":
                weights[.text] = max(weights[.text] ?? 0, weight)
            default:
                continue
            }
        }
        let weight = weights[.openMetrics] ?? 0
        self = weight > 0 && weight >= weights[.text] ?? 0 ? .openMetrics : .text
    }
}
