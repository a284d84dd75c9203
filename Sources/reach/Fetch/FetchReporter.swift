import ReachDashboard
import ReachKit
import ReachMonitoring
import ReachReporting
import ReachScreen
import ReachSystem
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
            return "\(count.bytesText(of: length)) received"
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
        case .received(let count, let length):
            showReceived(count, of: length)
        case .sent:
            break
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

    /// Shows how much was received of the body, or of the rest of one that is continued.
    ///
    /// - Parameters:
    ///   - count: the number of bytes of the whole body so far.
    ///   - whole: its length, if known.
    private func showReceived(_ count: Int64, of whole: Int64?) {
        state.withLock { state in
            guard case .receiving(_, let length, let start) = state.progress.stage else { return }
            let offset = (whole ?? 0) - (length ?? whole ?? 0)
            state.progress.stage = .receiving(count - offset, of: length, since: start)
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
        // The last column stays free, since some terminals wrap after it.
        let columns = max(20, StandardStreams.size(of: STDERR_FILENO).columns - 1)
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

/// The progress of a fetch, and the line that shows it.
///
/// ```
/// waiting for example.com:443: refused  12s
/// ━━━━━━━━━━━────────────  45%  123 MB of 270 MB  12 MB/s  12s left
/// ```
struct FetchProgress: Sendable, Hashable {
    /// The current stage of a fetch.
    enum Stage: Sendable, Hashable {
        /// The host cannot be reached yet, for this reason.
        case waiting(for: String, because: String)
        /// An attempt has begun, and no response has arrived.
        case requesting
        /// The last attempt failed; the next one begins at this time.
        case pausing(until: Duration, because: String)
        /// A body is being received: the bytes so far, the length if known, and the start time.
        case receiving(Int64, of: Int64?, since: Duration)
    }

    /// The current stage.
    var stage = Stage.requesting
    /// The start of the stage, in program time.
    var since = Duration.zero

    /// Returns the line at a time, at most `columns` wide.
    func line(at now: Duration, columns: Int, isASCII: Bool) -> String {
        let text =
            switch stage {
            case .waiting(let place, let cause): "waiting for \(place): \(cause)  \((now - since).spanText)"
            case .requesting: "requesting  \((now - since).spanText)"
            case .pausing(let end, let cause): "\(cause); again in \(max(.zero, end - now).elapsedText)"
            case .receiving(let count, let length, let start):
                Self.line(count, of: length, after: now - start, columns: columns, isASCII: isASCII)
            }
        return text.displayWidth > columns ? text.truncated(toColumns: columns) : text
    }

    private static func line(
        _ count: Int64,
        of length: Int64?,
        after lapse: Duration,
        columns: Int,
        isASCII: Bool
    ) -> String {
        // The rate of the first 500 ms is not meaningful.
        let rate = lapse > .milliseconds(500) ? Double(count) / lapse.inSeconds : nil
        let speed = rate.map { "  \(Int64($0).bytesText)/s" } ?? ""
        guard let length, length > 0 else { return "\(count.bytesText)\(speed)" }
        let share = min(1, Double(count) / Double(length))
        let percent = "\(Int(share * 100))%"
        var figures = "\(String(repeating: " ", count: 4 - percent.count))\(percent)"
        figures += "  \(count.bytesText(of: length))\(speed)"
        if let rate, rate > 0, count < length {
            figures += "  \(Duration.seconds(Double(length - count) / rate).spanText) left"
        }
        // The figures need at most 50 columns. Reserving them keeps the length of the bar constant.
        let width = min(30, columns - 50)
        guard width >= 10 else { return figures }
        return "\(bar(share, width: width, isASCII: isASCII)) \(figures)"
    }

    private static func bar(_ share: Double, width: Int, isASCII: Bool) -> String {
        let filled = Int(share * Double(width))
        let (full, empty) = isASCII ? ("#", "-") : ("━", "─")
        return String(repeating: full, count: filled) + String(repeating: empty, count: width - filled)
    }
}
