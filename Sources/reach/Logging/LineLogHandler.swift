import Logging
import Monitoring
import Reporting

/// Makes a line of what is logged: time in UTC, level, part of the program, message and details. In it is nothing that a
/// terminal would obey, whatever a peer sent.
struct LineLogHandler: LogHandler {
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    private let label: String
    private let time: ProgramTime
    private let write: @Sendable (String) -> Void

    init(label: String, time: ProgramTime, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.time = time
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let details = metadata.merging(event.metadata ?? [:]) { _, new in new }
            .sorted { $0.key < $1.key }
            .map { " \($0.key)=\($0.value)" }
            .joined()
        write(
            "\(time.wall.timestamp(at: time.now)) \(event.level) \(label): \("\(event.message)\(details)".printable)"
        )
    }
}
