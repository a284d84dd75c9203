import Logging
import Monitoring
import Reporting

/// A log handler that writes each entry as a line. Secrets are removed, and control characters escaped.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let time: ProgramTime
    private let format: LogFormat
    private let redaction: SharedRedaction
    private let write: @Sendable (String, Logger.Level) -> Void

    init(
        label: String,
        time: ProgramTime,
        format: LogFormat,
        redaction: SharedRedaction,
        write: @escaping @Sendable (String, Logger.Level) -> Void
    ) {
        self.label = label
        self.time = time
        self.format = format
        self.redaction = redaction
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let redaction = redaction.current
        var fields: [String: String] = [:]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { _, new in new }) {
            fields[key] = redaction.text(key == "target" ? redaction.label("\(value)") : "\(value)")
        }
        let entry = LogEntry(
            time: time.wall.timestamp(at: time.now),
            level: "\(event.level)",
            logger: label,
            message: redaction.text("\(event.message)"),
            fields: fields
        )
        write(entry.line(in: format), event.level)
    }
}
