import Monitoring

/// A snapshot of all metrics. Another task can write it while counting goes on.
public struct Exposition: Sendable {
    let rows: [Row]
    let program: ProgramFigures
    let detail: MetricsDetail

    /// The metrics of one target.
    struct Row: Sendable {
        let tally: Tally
        let health: Health
        let isBlocked: Bool
        let isPaused: Bool
        let isFlapping: Bool
        let isInMaintenance: Bool
        /// When the failure began of a target that is down or degraded, as the time since 1970.
        let failingSince: Duration?
        /// Why the target is down or degraded; nil for other targets.
        let failureReason: String?
        /// When the newest probe ended, as the time since 1970.
        let lastProbe: Duration?
        /// The events that the target's hooks are for, or have run for.
        let hookEvents: [HookEvent]
        let hasRoundTrips: Bool
        /// The newest round trip; nil while the target is down.
        let lastRoundTrip: Duration?
        /// Percentiles of the last round trips, by quantile; empty unless the detail is a summary.
        let quantiles: [(label: String, value: Duration)]
        let phases: [Reply.PhaseTime]
        let certificateExpiry: Int64?
        /// The HTTP status of the newest probe; 0 if it had none, and while the target is down.
        let httpStatus: Int?

        /// The quantiles of a summary, and their percentiles.
        private static let percentiles = [("0.5", 50), ("0.95", 95), ("1.0", 100)]

        init(_ state: TargetState, _ tally: Tally, wall: WallTime, detail: MetricsDetail) {
            self.tally = tally
            health = state.health
            isBlocked = state.isBlocked
            isPaused = state.isPaused
            isFlapping = state.isFlapping
            isInMaintenance = state.isInMaintenance
            let isFailing = !isBlocked && !isPaused && (health == .down || health == .degraded)
            failingSince = isFailing ? wall.start + state.since : nil
            failureReason = state.failureReason
            lastProbe = tally.lastProbe.map { wall.start + $0 }
            let counted = Set(tally.hookRuns.keys.map(\.event))
            let awaited = state.target.hooks.reduce(into: counted) { $0.formUnion($1.events) }
            hookEvents = awaited.isEmpty ? [] : HookEvent.allCases.filter(awaited.contains)
            hasRoundTrips = !state.target.question.method.isLocal
            let reply = state.health == .down ? nil : state.lastReply
            lastRoundTrip = reply?.roundTrip
            phases = reply?.phases ?? []
            let statistics = detail == .summary && hasRoundTrips ? state.statistics : nil
            quantiles = Self.percentiles.compactMap { label, percent in
                (statistics?.percentile(percent)).map { (label, $0) }
            }
            certificateExpiry = tally.certificateExpiry ?? state.lastReply?.certificateExpiry
            let isHTTP = [Method.http, .https].contains(state.target.question.method)
            let newest = tally.httpStatus ?? (isHTTP && tally.lastProbe != nil ? 0 : nil)
            httpStatus = newest.map { state.health == .down ? 0 : $0 }
        }
    }

    /// The snapshot in a text format.
    public func text(in format: MetricsFormat) -> ExpositionText {
        ExpositionText(self, in: format)
    }
}
