import Monitoring

/// A snapshot of all metrics. Another task can write it while counting goes on.
public struct Exposition: Sendable {
    let rows: [Row]
    /// The version of the program.
    let version: String

    /// The metrics of one target.
    struct Row: Sendable {
        let tally: Tally
        let health: Health
        let isBlocked: Bool
        let isPaused: Bool
        let isFlapping: Bool
        /// When the newest probe ended, as the time since 1970.
        let lastProbe: Duration?
        /// The events that the target's hooks are for, or have run for.
        let hookEvents: [HookEvent]
        let hasRoundTrips: Bool
        let phases: [Reply.PhaseTime]
        let certificateExpiry: Int64?

        init(_ state: TargetState, _ tally: Tally, wall: WallTime) {
            self.tally = tally
            health = state.health
            isBlocked = state.isBlocked
            isPaused = state.isPaused
            isFlapping = state.isFlapping
            lastProbe = tally.lastProbe.map { wall.start + $0 }
            let counted = Set(tally.hookRuns.keys.map(\.event))
            let awaited = state.target.hooks.reduce(into: counted) { $0.formUnion($1.events) }
            hookEvents = awaited.isEmpty ? [] : HookEvent.allCases.filter(awaited.contains)
            hasRoundTrips = !state.target.question.method.isLocal
            phases = state.lastReply?.phases ?? []
            certificateExpiry = state.lastReply?.certificateExpiry
        }
    }

    /// The snapshot in a text format.
    public func text(in format: MetricsFormat) -> ExpositionText {
        ExpositionText(self, in: format)
    }
}
