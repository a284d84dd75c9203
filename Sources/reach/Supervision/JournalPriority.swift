import Foundation
import LibC
import Logging
import Monitoring

/// The priority of a line on standard error, which systemd's journal reads from a prefix (sd-daemon(3)).
enum JournalPriority: Int, Sendable {
    case critical = 2
    case error
    case warning
    case notice
    case info
    case debug

    /// The priority of a log level.
    init(_ level: Logger.Level) {
        self =
            switch level {
            case .trace, .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }

    /// The priority of a change of health.
    init(_ transition: Transition) {
        switch transition.to {
        case .down, .unknown: self = .warning
        case .up, .degraded: self = .notice
        }
    }

    /// Whether standard output is connected to the journal.
    static let isUsedForOutput = isJournal(STDOUT_FILENO, environment: ProcessInfo.processInfo.environment)

    /// Whether standard error is connected to the journal.
    private static let isUsed = isJournal(STDERR_FILENO, environment: ProcessInfo.processInfo.environment)

    /// Whether a stream is connected to the journal: `JOURNAL_STREAM` has its device and inode (systemd.exec(5)).
    static func isJournal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        guard let stream = environment["JOURNAL_STREAM"], let file = FileNumber(of: descriptor) else { return false }
        return stream == "\(file.device):\(file.inode)"
    }

    /// The text, with the prefix on each line if standard error is connected to the journal. Without it, the journal takes
    /// each line as ``info``.
    func prefixed(_ text: String) -> String {
        Self.isUsed ? prefixing(text) : text
    }

    /// The text with the prefix on each line.
    func prefixing(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { "<\(rawValue)>\($0)" }.joined(separator: "\n")
    }
}
