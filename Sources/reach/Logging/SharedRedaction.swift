import Monitoring
import Synchronization

/// The redaction that logs, lines and pages share. New settings add to it: what the old ones hid stays hidden, since
/// their last hooks may still run.
final class SharedRedaction: Sendable {
    private let state = Mutex(Redaction())

    /// The redaction as it is now.
    var current: Redaction { state.withLock { $0 } }

    /// Takes over the redaction of new settings.
    func update(_ settings: Settings) {
        state.withLock { redaction in
            var new = settings.redaction
            new.formUnion(redaction)
            redaction = new
        }
    }
}
