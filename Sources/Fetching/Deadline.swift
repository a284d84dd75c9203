import Synchronization

/// When a try has taken too long. A suspended machine does not wear it out.
final class Deadline: Sendable {
    private let timeout: Duration
    private let scope: FetchRequest.TimeoutScope
    /// Nil while it is not the server that is waited for.
    private let instant: Mutex<SuspendingClock.Instant?>

    init(of request: FetchRequest) {
        timeout = request.timeout
        scope = request.timeoutScope
        instant = Mutex(.now + request.timeout)
    }

    /// The server has said or taken something.
    func restart() {
        guard scope == .silence else { return }
        instant.withLock { $0 = .now + timeout }
    }

    /// It is not the server's turn, until ``restart()``.
    func pause() {
        guard scope == .silence else { return }
        instant.withLock { $0 = nil }
    }

    /// Returns when the time is up, or the task is cancelled.
    func pass() async {
        while !Task.isCancelled {
            let instant = instant.withLock(\.self) ?? .now + timeout
            guard instant > .now else { return }
            try? await Task.sleep(until: instant, clock: .suspending)
        }
    }
}
