import Logging
import Monitoring
import Reporting

/// A log handler that writes lines: time in UTC, level, label, message and metadata. Control characters and secrets are
/// removed.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let time: ProgramTime
    private let redaction: SharedRedaction
    private let write: @Sendable (String) -> Void

    init(
        label: String,
        time: ProgramTime,
        redaction: SharedRedaction,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.time = time
        self.redaction = redaction
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let redaction = redaction.current
        let details = metadata.merging(event.metadata ?? [:]) { _, new in new }
            .sorted { $0.key < $1.key }
            .map { " \($0.key)=\(redaction.text($0.key == "target" ? redaction.label("\($0.value)") : "\($0.value)"))" }
            .joined()
        let text = "\(redaction.text("\(event.message)"))\(details)".printable
        write("\(time.wall.timestamp(at: time.now)) \(event.level) \(label): \(text)")
    }
}
