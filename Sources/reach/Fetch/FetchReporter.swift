import Dashboard
import LibC
import Monitoring
import ReachKit
import Reporting
import Synchronization

/// Writes the messages of `reach fetch` to standard error: a line for each error and, on a terminal, the progress line.
final class FetchReporter: Sendable {
    private struct State {
        var progress = FetchProgress()
        /// The progress line on the terminal, which is erased before any other output.
        var shown = ""
        var isClosed = false
        var isPipeBroken = false
        var lastCause: String?
        var tries = 0
    }

    private let isQuiet: Bool
    private let isASCII: Bool
    private let isLive: Bool
    private let time: ProgramTime
    private let state = Mutex(State())

    /// Creates a reporter for a terminal with these capabilities.
    init(isQuiet: Bool, capabilities: TerminalCapabilities, time: ProgramTime) {
        self.isQuiet = isQuiet
        self.time = time
        isASCII = capabilities.glyphs == .ascii
        isLive = !isQuiet && capabilities.hasCursorMovements && isatty(STDERR_FILENO) == 1
    }

    /// The program time.
    var now: Duration { time.now }

    /// The state of the fetch for the timeout message: the bytes received, or the last error.
    var summary: String? {
        state.withLock { state in
            guard case .receiving(let count, let length, _) = state.progress.stage else { return state.lastCause }
            return "\(count.bytesText)\(length.map { " of \($0.bytesText)" } ?? "") received"
        }
    }

    /// Whether the reader closed the pipe while the body of an unsuccessful response was written.
    var isPipeBroken: Bool { state.withLock(\.isPipeBroken) }

    /// The number of attempts.
    var tries: Int { state.withLock(\.tries) }

    /// Reports an event of the fetch.
    func report(_ event: Fetch.Event) {
        switch event {
        case .waiting(let place, let cause):
            write("waiting for \(place): \(cause)")
            enter(.waiting(for: place, because: cause))
        case .sending(let count):
            state.withLock { $0.tries = count }
            enter(.requesting)
        case .pausing(let pause, let tries, let error):
            write("try \(tries): \(error); again in \(pause.elapsedText)")
            enter(.pausing(until: now + pause, because: error.description))
        case .receiving(let length):
            enter(.receiving(0, of: length, since: now))
        case .received(let bytes):
            count(bytes)
        }
    }

    /// Writes a line. Control characters are removed, since it may contain text of a server.
    func write(_ line: String) {
        guard !isQuiet else { return }
        state.withLock { state in
            // A pipe whose reader does not read must not block the exit of the program.
            guard Self.isWritable(within: .seconds(1)) else { return }
            erase(&state)
            StandardStreams.printMessage(line.printable)
        }
    }

    /// Changes the stage of the progress.
    private func enter(_ stage: FetchProgress.Stage) {
        state.withLock { state in
            switch stage {
            case .waiting(_, let cause), .pausing(_, let cause): state.lastCause = cause
            case .requesting, .receiving: break
            }
            if case .waiting = stage, case .waiting = state.progress.stage {
                state.progress.stage = stage
            } else {
                state.progress = FetchProgress(stage: stage, since: time.now)
            }
        }
    }

    private func count(_ bytes: Int) {
        state.withLock { state in
            guard case .receiving(let count, let length, let start) = state.progress.stage else { return }
            state.progress.stage = .receiving(count + Int64(bytes), of: length, since: start)
        }
    }

    /// Reports that the body of an unsuccessful response could not be written.
    func report(_ error: Fetch.Error) {
        if case .brokenPipe = error { state.withLock { $0.isPipeBroken = true } }
        write(error.description)
    }

    /// Draws the progress line ten times a second, on a terminal, until the task is cancelled.
    func animate() async {
        guard isLive else { return }
        // A fetch of less than 300 ms needs no progress line.
        try? await Task.sleep(for: .milliseconds(300))
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Erases the progress line and stops drawing.
    func close() {
        state.withLock { state in
            erase(&state)
            state.isClosed = true
        }
    }

    private func draw(_ state: inout State) {
        guard !state.isClosed, Self.isWritable(within: .zero) else { return }
        var window = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        // The last column stays free, since some terminals wrap after it.
        let columns = max(20, (isKnown ? min(Int(window.ws_col), 1_000) : 80) - 1)
        let line = state.progress.line(at: time.now, columns: columns, isASCII: isASCII).printable
        guard line != state.shown else { return }
        try? writeAll(StandardStreams.encoded("\r\(line)\u{1B}[K"), to: STDERR_FILENO)
        state.shown = line
    }

    private func erase(_ state: inout State) {
        guard !state.shown.isEmpty, Self.isWritable(within: .seconds(1)) else { return }
        try? writeAll("\r\u{1B}[K", to: STDERR_FILENO)
        state.shown = ""
    }

    /// Whether standard error accepts a line without blocking within the limit.
    private static func isWritable(within limit: Duration) -> Bool {
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, Int32(limit / .milliseconds(1))) != 0
    }
}
