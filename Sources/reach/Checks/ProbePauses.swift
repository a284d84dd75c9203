import Monitoring

/// The time between two probes of a target in `check` and `wait`. With `--backoff`, it doubles after each probe without a
/// reply, up to a limit, and a reply resets it.
struct ProbePauses: Sendable {
    /// The longest time; nil where it does not grow.
    private let longest: Duration?
    /// The probes without a reply since the last one with a reply.
    private var losses: [Target.ID: Int] = [:]

    init(longest: Duration?) {
        self.longest = longest
    }

    /// Returns the time from a probe's end to the next probe of its target.
    ///
    /// - Parameter base: the time after a reply.
    mutating func pause(after observation: Observation, base: Duration) -> Duration {
        guard let longest else { return base }
        let id = observation.target
        if case .reply = observation.outcome {
            losses[id] = nil
            return base
        }
        defer { losses[id, default: 0] += 1 }
        return Backoff(base: base, cap: max(base, longest), tries: losses[id, default: 0]).limit
    }
}

extension Duration {
    /// An interval that never ends, for targets whose probes the caller schedules.
    static let unscheduled = Duration.seconds(365 * 86_400)
}
