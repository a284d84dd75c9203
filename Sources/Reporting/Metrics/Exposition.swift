import Monitoring

/// All metrics at one moment. It is a copy that shares next to nothing with what goes on being counted, so that it can be
/// written elsewhere at leisure.
public struct Exposition: Sendable {
    let rows: [Row]
    /// The version of the program.
    let version: String

    /// One target's.
    struct Row: Sendable {
        let tally: Tally
        let health: Health
        let isBlocked: Bool
        let isPaused: Bool
        let isFlapping: Bool
        /// When the newest probe ended, since 1970.
        let lastProbe: Duration?
        /// The events that the target's hooks wait for, or have run for.
        let hookEvents: [HookEvent]
        let hasRoundTrips: Bool
        let phases: [Reply.PhaseTime]
        let certificateExpiry: Int64?

        init(_ standing: Standing, _ tally: Tally, wall: WallTime) {
            self.tally = tally
            health = standing.health
            isBlocked = standing.isBlocked
            isPaused = standing.isPaused
            isFlapping = standing.isFlapping
            lastProbe = tally.lastProbe.map { wall.start + $0 }
            let counted = Set(tally.hookRuns.keys.map(\.event))
            let awaited = standing.target.hooks.reduce(into: counted) { $0.formUnion($1.events) }
            hookEvents = awaited.isEmpty ? [] : HookEvent.allCases.filter(awaited.contains)
            hasRoundTrips = !standing.target.question.method.isLocal
            phases = standing.lastReply?.phases ?? []
            certificateExpiry = standing.lastReply?.certificateExpiry
        }
    }

    /// The text.
    public func text(in format: MetricsFormat) -> ExpositionText {
        ExpositionText(self, in: format)
    }
}
