import Logging
import Monitoring
import Reporting

/// Makes a line of what is logged: time in UTC, level, part of the program, message and details. In it is nothing that a
/// terminal would obey, whatever a peer sent, and no secret.
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
        let words = "\(redaction.text("\(event.message)"))\(details)".printable
        write("\(time.wall.timestamp(at: time.now)) \(event.level) \(label): \(words)")
    }
}
