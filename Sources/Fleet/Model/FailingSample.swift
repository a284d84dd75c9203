import Monitoring

/// What a vantage point says about a target that fails.
struct FailingSample: Sendable, Hashable {
    let health: Health
    /// Why; nil if that is not known.
    let detail: String?
    /// When the health began, in seconds since 1970 by the clock of the vantage point; nil if that is not known.
    var since: Double?

    /// Reads the labels `health` and `reason` of `reach_failing_since_timestamp_seconds`. Other series are of targets that
    /// are down, for no known reason; their value is zero.
    init(_ sample: MetricSample) {
        let isDegraded = sample.label("health") == Health.degraded.rawValue
        health = isDegraded ? .degraded : .down
        detail = sample.label("reason").map { Reason(rawValue: $0)?.words ?? $0.replacing("_", with: " ") }
        since = sample.value.isFinite && sample.value > 0 ? sample.value : nil
    }

    /// What two series of a target and a vantage point say together.
    func joined(with other: FailingSample) -> FailingSample { since == nil && detail == nil ? other : self }
}
