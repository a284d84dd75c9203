import Monitoring
import Synchronization

/// The redaction that logs, lines and pages share. New settings add to it: the secrets of old settings stay redacted, since
/// their last hooks may still run.
final class SharedRedaction: Sendable {
    private let state = Mutex(Redaction())

    /// The current redaction.
    var current: Redaction { state.withLock { $0 } }

    /// Adds the redaction of new settings.
    func update(_ settings: Settings) {
        state.withLock { redaction in
            var new = settings.redaction
            new.formUnion(redaction)
            redaction = new
        }
    }
}
