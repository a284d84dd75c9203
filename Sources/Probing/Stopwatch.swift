import Monitoring

/// Times the parts of a round trip, one after the other; parts that recur, as over redirects, add up. Confined to an
/// event loop.
final class Stopwatch {
    /// The parts that were timed so far.
    var durations: [Phase: Duration] = [:]
    private var last: Duration

    /// Starts to time.
    init(at time: Duration) {
        last = time
    }

    /// Goes on after a pause, which is no part of anything.
    func resume(at time: Duration) {
        last = time
    }

    /// Ends a part; the next one begins.
    func end(_ phase: Phase, at time: Duration) {
        durations[phase, default: .zero] += time - last
        last = time
    }

    /// The parts that were timed, in order.
    var phases: [Reply.PhaseTime] {
        Phase.allCases.compactMap { phase in durations[phase].map { Reply.PhaseTime(phase, $0) } }
    }

    /// The sum of the parts, but for finding the address: the target has no share in that.
    var roundTrip: Duration {
        durations.reduce(.zero) { $1.key == .resolve ? $0 : $0 + $1.value }
    }
}
