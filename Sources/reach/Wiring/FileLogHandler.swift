import Logging
import Monitoring

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Appends log lines to a file: the screen belongs to the dashboard, standard output to data.
struct FileLogHandler: LogHandler {
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]
    private let descriptor: Int32
    private let label: String
    private let time: ProgramTime

    /// Opens the file for appending, made for the user alone where it does not exist.
    ///
    /// - Throws: ``TargetProblems`` when it cannot be opened.
    static func open(_ path: String) throws(TargetProblems) -> Int32 {
        let descriptor = openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TargetProblems(lines: ["cannot write the log \(path): \(String(cString: strerror(errno)))"])
        }
        return descriptor
    }

    init(descriptor: Int32, label: String, time: ProgramTime) {
        self.descriptor = descriptor
        self.label = label
        self.time = time
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
        let line = "\(time.wall.timestamp(at: time.now)) \(event.level) \(label): \(event.message)\(details)\n"
        // One write with O_APPEND: lines of several threads do not mix.
        _ = writeAll(line, to: descriptor)
    }
}

/// `open`, by a name that the type's own function of that name does not hide.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}
