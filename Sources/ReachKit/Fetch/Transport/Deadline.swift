#if Fetch

import Synchronization

/// The deadline of an exchange. The time during which the machine is suspended does not count.
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

    /// Restarts the timeout, because the server has sent or read something. A deadline of the whole try stays.
    func restart(at now: SuspendingClock.Instant = .now) {
        guard !limitsWholeTry else { return }
        instant.withLock { $0 = now + timeout }
    }

    /// Restarts the timeout unless it is paused, because the server has sent something. What arrives while a piece of the
    /// body is written is not read yet.
    func receive(at now: SuspendingClock.Instant = .now) {
        guard !limitsWholeTry else { return }
        instant.withLock { if $0 != nil { $0 = now + timeout } }
    }

    /// Stops the timeout until ``restart(at:)``, while the exchange does not wait for the server. A deadline of the
    /// whole try continues.
    func pause() {
        guard !limitsWholeTry else { return }
        instant.withLock { $0 = nil }
    }

    /// Returns at the deadline, or when the task is cancelled.
    func wait() async {
        while !Task.isCancelled, let rest = remaining(at: .now) {
            try? await Task.sleep(for: min(rest, Self.maxSleep), clock: .suspending)
        }
    }

    /// The time left; nil after the deadline. A deadline that is noticed much too late restarts the timeout: the
    /// process was stopped meanwhile, and unread bytes of the server may be in the socket's buffer.
    func remaining(at now: SuspendingClock.Instant) -> Duration? {
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

    /// The longest single sleep. The runtime keeps a timer until it is due, even when the task is cancelled.
    private static let maxSleep = Duration.seconds(5)

    /// A deadline that is noticed later than this shows that the process did not run.
    private static let stall = Duration.seconds(1)
}

#endif
