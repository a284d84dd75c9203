import ArgumentParser
import Foundation
import Logging
import ReachMonitoring
import ReachScreen
import ReachSystem
import ReachTerminal

/// Writes lines to standard output (data) and standard error (messages).
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool {
        isatty(STDOUT_FILENO) == 1
    }

    /// Reserves the descriptors of standard streams that the caller has closed. Otherwise files and connections would get
    /// these numbers and receive the program's output. Using a reserved stream is still an error.
    static func reserve() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The system assigns the lowest free number. The mode makes reads or writes fail.
            if fcntl(number, F_GETFD) == -1 { _ = open("/dev/null", mode) }
        }
    }

    /// The characters of the locale.
    private static let characters = CharacterSupport(environment: ProcessInfo.processInfo.environment)

    /// A text for people as it is written, in ASCII if the locale is not UTF-8.
    static func encoded(_ text: String) -> String { characters.written(text) }

    /// Writes a line of text.
    ///
    /// - Parameter isData: whether the line is in a format for programs, which is UTF-8 in every locale.
    /// - Throws: The exit status after a write error: 141 (SIGPIPE) without a message when the reader has exited, otherwise
    ///   1.
    static func print(_ line: String, isData: Bool = false) throws(ExitCode) {
        try write("\(line)\n", isData: isData)
    }

    /// Writes text, with the errors of ``print(_:isData:)``.
    static func write(_ text: String, isData: Bool = false) throws(ExitCode) {
        do throws(SystemError) {
            try writeAll(isData ? text : encoded(text), to: STDOUT_FILENO)
        } catch {
            guard error.code != EPIPE else { throw ExitCode(128 + SIGPIPE) }
            printMessage("cannot write to standard output: \(error)", priority: .error)
            throw ExitCode(1)
        }
    }

    /// Writes a log line, without the prefix of messages.
    static func log(_ line: String) {
        try? writeAll(encoded("\(line)\n"), to: STDERR_FILENO)
    }

    /// Writes a message with the prefix `reach:`.
    ///
    /// - Parameters:
    ///   - terminal: standard error, if it is a terminal that must not block the program.
    ///   - priority: the priority in the journal.
    static func printMessage(
        _ line: String,
        on terminal: StandardErrorTerminal? = nil,
        priority: JournalPriority = .info
    ) {
        let text = encoded("\(priority.prefixed("reach: \(line)"))\n")
        if let terminal { terminal.write(text) } else { try? writeAll(text, to: STDERR_FILENO) }
    }
}

extension StandardStreams {
    /// The descriptor for lines that are erased again: standard error, if it and standard output are terminals.
    static var animatedDescriptor: Int32? {
        isTerminal && isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : nil
    }

    /// Returns the size of a terminal; 80 columns and 24 rows if it is not known.
    static func size(of descriptor: Int32) -> Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        // A device may report more than any screen shows.
        return Size(columns: min(Int(window.ws_col), 1_000), rows: min(Int(window.ws_row), 500))
    }
}

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
