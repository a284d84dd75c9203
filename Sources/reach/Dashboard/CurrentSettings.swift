import Monitoring
import Synchronization

/// The settings that the dashboard uses, if they have sources of targets. Only its loop changes them.
final class CurrentSettings: Sendable {
    private let settings = Mutex(Settings(targets: []))

    var value: Settings {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }
}
