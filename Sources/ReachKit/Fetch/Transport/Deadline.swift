import Synchronization

/// The deadline of an exchange. The time in which the machine is suspended does not count.
final class Deadline: Sendable {
    private let timeout: Duration
    private let limitsWholeTry: Bool
    /// Nil while paused.
    private let instant: Mutex<SuspendingClock.Instant?>

    init(of request: Fetch.Request, at now: SuspendingClock.Instant = .now) {
        timeout = request.timeout
        limitsWholeTry = request.limitsWholeTry
        instant = Mutex(now + request.timeout)
    }

    /// Begins the timeout anew: the server has sent or read something. A deadline of the whole try stays.
    func restart(at now: SuspendingClock.Instant = .now) {
        guard !limitsWholeTry else { return }
        instant.withLock { $0 = now + timeout }
    }

    /// Stops the timeout until ``restart()``, while the server is not waited for. A deadline of the whole try goes on.
    func pause() {
        guard !limitsWholeTry else { return }
        instant.withLock { $0 = nil }
    }

    /// Returns at the deadline, or when the task is cancelled.
    func pass() async {
        while !Task.isCancelled, let rest = rest(at: .now) {
            try? await Task.sleep(for: min(rest, Self.longestSleep), clock: .suspending)
        }
    }

    /// The time left; nil after the deadline. The timeout begins anew when the deadline is noticed much too late: the
    /// process was stopped meanwhile, and bytes of the server may wait to be read.
    func rest(at now: SuspendingClock.Instant) -> Duration? {
        instant.withLock { instant in
            guard let end = instant else { return timeout }
            let rest = now.duration(to: end)
            if rest + Self.stall < .zero {
                instant = now + timeout
                return timeout
            }
            return rest > .zero ? rest : nil
        }
    }

    /// The runtime keeps the timer of a sleep until it is due, even when the task is cancelled.
    private static let longestSleep = Duration.seconds(5)

    /// A deadline that is noticed so late means that the process did not run.
    private static let stall = Duration.seconds(1)
}
