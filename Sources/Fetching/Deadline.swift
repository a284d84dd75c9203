import Synchronization

/// When a try has taken too long. A suspended machine does not wear it out.
final class Deadline: Sendable {
    private let timeout: Duration
    private let scope: FetchRequest.TimeoutScope
    /// Nil while it is not the server that is waited for.
    private let instant: Mutex<SuspendingClock.Instant?>

    init(of request: FetchRequest, at now: SuspendingClock.Instant = .now) {
        timeout = request.timeout
        scope = request.timeoutScope
        instant = Mutex(now + request.timeout)
    }

    /// The server has said or taken something.
    func restart(at now: SuspendingClock.Instant = .now) {
        guard scope == .silence else { return }
        instant.withLock { $0 = now + timeout }
    }

    /// It is not the server's turn, until ``restart()``.
    func pause() {
        guard scope == .silence else { return }
        instant.withLock { $0 = nil }
    }

    /// Returns when the time is up, or the task is cancelled.
    func pass() async {
        while !Task.isCancelled, let rest = rest(at: .now) {
            try? await Task.sleep(for: min(rest, Self.longestSleep), clock: .suspending)
        }
    }

    /// How much is left; nil when the time is up. It begins anew for who looks much too late: the process was stopped
    /// meanwhile, and what the server has said waits to be read.
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

    /// The runtime keeps what is to wake a task until its time, though the task was cancelled long before.
    private static let longestSleep = Duration.seconds(5)

    /// Who looks so much too late did not run.
    private static let stall = Duration.seconds(1)
}
