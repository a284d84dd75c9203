import Monitoring
import Synchronization

/// The redaction that logs, lines and pages share. New settings add to it: the secrets of old settings stay redacted, since
/// their last hooks may still run.
final class SharedRedaction: Sendable {
    private let state = Mutex((all: Redaction(), screen: Redaction.none))

    /// The current redaction.
    var current: Redaction { state.withLock { $0.all } }

    /// The current redaction for the user's own screen.
    var forScreen: Redaction { state.withLock { $0.screen } }

    /// Adds the redaction of new settings.
    func update(_ settings: Settings) {
        state.withLock { state in
            var new = settings.redaction
            new.formUnion(state.all)
            state = (new, new.forScreen)
        }
    }
}
