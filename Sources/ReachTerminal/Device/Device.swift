import ReachScreen
import ReachSystem
import Synchronization

/// The terminal's device file, opened for reading and writing.
///
/// It is non-blocking. That is safe because the open file is not shared: standard input and output usually share one, and
/// `O_NONBLOCK` would change both. Where the device cannot be opened, that shared file is used, and it stays as it is.
final class Device: Sendable {
    let descriptor: Int32
    /// Whether other processes share the open file, which may block.
    let isShared: Bool
    /// Whether a write to a terminal that does not accept bytes gives up within half a second.
    private let limitsWrites = Atomic(false)
    /// Whether the last limited write could not write a byte. The next ones then do not wait.
    private let isStuck = Atomic(false)

    /// Opens a device.
    ///
    /// - Parameter path: the device file; the process's own terminal if nil.
    /// - Throws: ``TerminalProblem/noTerminal``.
    init(path: String?) throws(TerminalProblem) {
        let paths = path.map { [$0] } ?? Self.ownPaths
        if let descriptor = paths.lazy.map(Self.opened).first(where: { $0 >= 0 }) {
            (self.descriptor, isShared) = (descriptor, false)
        } else if path == nil, let descriptor = Self.sharedTerminal() {
            (self.descriptor, isShared) = (descriptor, true)
        } else {
            throw .noTerminal
        }
    }

    /// Uses an open file that other processes share, for tests.
    init(sharing descriptor: Int32) {
        (self.descriptor, isShared) = (descriptor, true)
    }

    deinit {
        close(descriptor)
    }

    private static func opened(_ path: String) -> Int32 {
        open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    }

    /// The device files of the process's terminal. `/dev/tty` is that of the session: there is none after `su USER -c`,
    /// which starts a session of its own, although the standard streams are a terminal.
    private static var ownPaths: [String] {
        let names = standardStreams.compactMap { stream in ttyname(stream).map { String(cString: $0) } }
        #if canImport(Darwin)
        // There, poll(2) does not work with /dev/tty, only with the device that it stands for.
        return names + ["/dev/tty"]
        #else
        return ["/dev/tty"] + names
        #endif
    }

    private static let standardStreams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]

    /// A duplicate of the first standard stream that is a terminal for reading and writing; nil if there is none. Its device
    /// may belong to another user, and cannot be opened then.
    private static func sharedTerminal() -> Int32? {
        let stream = standardStreams.first { isatty($0) == 1 && fcntl($0, F_GETFL) & O_ACCMODE == O_RDWR }
        let descriptor = stream.map { fcntl($0, F_DUPFD_CLOEXEC, 3) } ?? -1
        return descriptor >= 0 ? descriptor : nil
    }

    /// The largest size that is used. A device may report 65535 by 65535, and such a frame would need gigabytes.
    static let largest = Size(columns: 1_000, rows: 500)

    /// The size of the screen; 80 by 24 if the device does not report one.
    var size: Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(columns: 80, rows: 24)
        }
        let (columns, rows) = (Int(window.ws_col), Int(window.ws_row))
        return Size(columns: min(columns, Self.largest.columns), rows: min(rows, Self.largest.rows))
    }

    /// The present modes.
    ///
    /// - Throws: ``TerminalProblem/refused(_:)``.
    func modes() throws(TerminalProblem) -> termios {
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else { throw .refused(Self.reason) }
        return modes
    }

    /// Sets the modes without waiting for pending output (`TCSANOW`): a slow terminal could take long to drain it, and
    /// modes do not change output that is already written.
    ///
    /// - Throws: ``TerminalProblem/refused(_:)``.
    func set(_ modes: termios) throws(TerminalProblem) {
        var modes = modes
        while tcsetattr(descriptor, TCSANOW, &modes) != 0 {
            guard errno == EINTR else { throw .refused(Self.reason) }
        }
    }

    /// Discards input that was not read.
    func dropInput() {
        tcflush(descriptor, TCIFLUSH)
    }

    /// Makes each `write`, also one in progress, fail after half a second without progress; or, with false, wait for ever.
    func limitWrites(_ isLimited: Bool) {
        limitsWrites.store(isLimited, ordering: .relaxed)
        isStuck.store(false, ordering: .relaxed)
    }

    /// Writes as many bytes as the terminal accepts without blocking.
    ///
    /// - Returns: The number of bytes; zero if the terminal is gone.
    func writeWithoutBlocking(_ bytes: [UInt8]) -> Int {
        guard !CrashHandler.hasCrashed.load(ordering: .sequentiallyConsistent) else { return 0 }
        return max(0, bytes.withUnsafeBytes { writeOnce($0) })
    }

    /// Writes all bytes and blocks as long as the terminal takes to accept them.
    ///
    /// - Returns: False if the terminal is gone, or too slow while writes are limited.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            var attempts = isStuck.load(ordering: .relaxed) ? 0 : 5
            while !rest.isEmpty {
                guard !CrashHandler.hasCrashed.load(ordering: .sequentiallyConsistent) else { return false }
                let count = writeOnce(UnsafeRawBufferPointer(rebasing: rest))
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    if limitsWrites.load(ordering: .relaxed) {
                        attempts -= 1
                        if attempts < 0 {
                            isStuck.store(rest.count == bytes.count, ordering: .relaxed)
                            return false
                        }
                    }
                    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&polled, 1, 100)
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Writes once, without blocking: `EAGAIN` if the terminal accepts no bytes.
    private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isShared else { return systemWrite(descriptor, bytes) }
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&polled, 1, 0) != 0 else {
            errno = EAGAIN
            return -1
        }
        // A terminal that accepts bytes has room for some, but not for any number: the write would wait for the rest.
        return systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(256)))
    }

    private static var reason: String {
        SystemError().description
    }
}

/// write(2), which a method of the same name hides inside ``Device``.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

/// The control sequences that set up a terminal for the dashboard and restore it.
enum ScreenCodes {
    /// Alternate screen, no cursor, bracketed paste, and no wrapping, so that the last column can be written like any other.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[?7l"
    /// Reports clicks and the wheel, in decimal numbers (SGR 1006), which have no limit of columns.
    static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"
    static let mouseOff = "\u{1B}[?1006l\u{1B}[?1000l"
    /// Undoes everything that `enter` and a truncated frame may have set.
    ///
    /// The screen is cleared first: a terminal without an alternate screen, such as Linux's console or GNU screen, would show
    /// the prompt in the middle of the last frame.
    static let leave: StaticString = """
        \u{1B}[?2026l\u{1B}[0m\u{1B}[H\u{1B}[J\
        \u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l
        """
}

extension Device {
    /// Whether another process group is in the foreground of the terminal.
    var isInBackground: Bool {
        let foreground = tcgetpgrp(descriptor)
        // The group of another PID namespace is 0.
        return foreground > 0 && foreground != getpgrp()
    }

    /// Stops the process group while it is in the background, as the system does with programs that use the terminal there.
    /// It does not do so here, since threads of Dispatch block SIGTTOU.
    ///
    /// This returns in the foreground, when a signal requests the exit, or if the process cannot be stopped.
    func waitForForeground(unless exit: SignalFlag) {
        var failures = 0
        while isInBackground, !exit.isSet, failures < 5 {
            // A signal that came while the process was stopped has the time to arrive.
            poll(nil, 0, 50)
            guard !exit.isSet else { return }
            let time = ContinuousClock.now
            kill(0, SIGTTOU)
            // The stop may reach another thread first.
            poll(nil, 0, 50)
            failures = time.duration(to: .now) < .milliseconds(100) ? failures + 1 : 0
        }
    }
}

/// Stops the process group, as ^Z does.
enum JobControl {
    /// Stops the process group by SIGTSTP with its default action, and returns when it continues.
    ///
    /// The system ignores that signal in an orphaned process group, which no shell could continue: for example that of the
    /// only program of a terminal emulator, of `ssh -t HOST reach` or of a container. SIGSTOP would stop it for good.
    ///
    /// - Parameter continued: a flag for SIGCONT.
    /// - Returns: Whether the process was stopped.
    static func stop(continued: SignalFlag) -> Bool {
        continued.clear()
        var standard = sigaction()
        var former = sigaction()
        sigaction(SIGTSTP, &standard, &former)
        defer { sigaction(SIGTSTP, &former, nil) }
        // The threads of Dispatch block signals. The other processes of the group stop too.
        var stop = sigset_t()
        var mask = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, &mask)
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // The stop may reach another thread first, and SIGCONT is reported by another one.
        for _ in 0..<50 where !continued.isSet { poll(nil, 0, 2) }
        return continued.isSet
    }
}

/// Why the dashboard cannot be drawn.
public enum TerminalProblem: Error, Sendable, Hashable {
    /// The process has no terminal, as in a service or a background job.
    case noTerminal
    /// `TERM` is not set, or names a terminal without cursor movements.
    case unknownTerminal(String)
    /// The terminal's modes cannot be changed; the system's error message.
    case refused(String)
}

extension TerminalProblem: CustomStringConvertible {
    /// One line: the problem, and what to do instead.
    public var description: String {
        switch self {
        case .noTerminal:
            "there is no terminal to draw the dashboard on; `reach watch` works without one"
        case .unknownTerminal(""):
            "TERM is not set: no terminal to draw the dashboard on – set it, or use `reach watch`"
        case .unknownTerminal(let name):
            "TERM is \(name): the dashboard cannot be drawn without cursor movements – use `reach watch`"
        case .refused(let reason):
            "the terminal cannot be used for the dashboard (\(reason)); `reach watch` works without one"
        }
    }
}
