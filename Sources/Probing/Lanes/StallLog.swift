import Synchronization

/// Has a stall told once: every event loop notices it for itself, and all of them mean the same one.
final class StallLog: Sendable {
    private let end = Mutex<Duration?>(nil)

    /// Whether nobody has told yet that this process did not run for `gap` until `time`.
    func isNews(_ gap: Duration, until time: Duration) -> Bool {
        end.withLock { end in
            if let told = end, time - gap < told { return false }
            end = time
            return true
        }
    }
}
