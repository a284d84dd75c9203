import Monitoring

/// What a vantage point says about a target that fails.
struct FailingSample: Sendable, Hashable {
    let health: Health
    /// Why; nil if that is not known.
    let detail: String?

    /// Reads the labels `health` and `reason` of `reach_failing_since_timestamp_seconds`. Other series are of targets that
    /// are down, for no known reason.
    init(_ sample: MetricSample) {
        let isDegraded = sample.label("health") == Health.degraded.rawValue
        health = isDegraded ? .degraded : .down
        detail = sample.label("reason").map { Reason(rawValue: $0)?.words ?? $0.replacing("_", with: " ") }
    }
}
