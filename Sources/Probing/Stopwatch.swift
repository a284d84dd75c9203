import Monitoring

/// A stopwatch for the consecutive phases of a round trip. Phases that recur, as with redirects, add up. Confined to an
/// event loop.
final class Stopwatch {
    /// The durations of the phases that have ended.
    var durations: [Phase: Duration] = [:]
    private var last: Duration

    /// Starts the first phase.
    init(at time: Duration) {
        last = time
    }

    /// Starts the next phase at `time`; the pause before it does not count.
    func resume(at time: Duration) {
        last = time
    }

    /// Ends a phase and starts the next one.
    func end(_ phase: Phase, at time: Duration) {
        durations[phase, default: .zero] += time - last
        last = time
    }

    /// The durations of the phases, in order.
    var phases: [Reply.PhaseTime] {
        Phase.allCases.compactMap { phase in durations[phase].map { Reply.PhaseTime(phase, $0) } }
    }

    /// The sum of all phases except `resolve`: the target has no share in the name lookup.
    var roundTrip: Duration {
        durations.reduce(.zero) { $1.key == .resolve ? $0 : $0 + $1.value }
    }
}
