import LibC
import Monitoring
import ReachKit
import Reporting
import Synchronization

/// The messages of `reach fetch` on standard error: a line for each error and, on a terminal, the progress line.
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

    init(isQuiet: Bool, isASCII: Bool, time: ProgramTime) {
        self.isQuiet = isQuiet
        self.isASCII = isASCII
        self.time = time
        isLive = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    /// The program's time.
    var now: Duration { time.now }

    /// The state of the fetch for the message that its time is over: how much was received, or the last error.
    var summary: String? {
        state.withLock { state in
            guard case .receiving(let count, let length, _) = state.progress.stage else { return state.lastCause }
            return "\(count.bytesText)\(length.map { " of \($0.bytesText)" } ?? "") had come"
        }
    }

    /// Whether the reader of the output has closed the pipe while the body of a bad response was written.
    var isPipeBroken: Bool { state.withLock(\.isPipeBroken) }

    /// How often the request was sent.
    var tries: Int { state.withLock(\.tries) }

    /// Reports an event of the fetch.
    func report(_ event: Fetch.Event) {
        switch event {
        case .waiting(let place, let cause):
            write("waiting for \(place): \(cause)")
            enter(.waiting(for: place, because: cause))
        case .asking(let count):
            state.withLock { $0.tries = count }
            enter(.asking)
        case .pausing(let pause, let tries, let error):
            write("try \(tries): \(error); again in \(pause.lapseText)")
            enter(.pausing(until: now + pause, because: error.description))
        case .receiving(let length):
            enter(.receiving(0, of: length, since: now))
        case .received(let bytes):
            count(bytes)
        }
    }

    /// Writes a line, in which text of a server may stand.
    func write(_ line: String) {
        guard !isQuiet else { return }
        state.withLock { state in
            // A pipe without a reader must not block the end of the program.
            guard Self.isWritable(within: .seconds(1)) else { return }
            erase(&state)
            StandardStreams.complain(line.printable)
        }
    }

    /// Begins another stage of the progress.
    private func enter(_ stage: FetchProgress.Stage) {
        state.withLock { state in
            switch stage {
            case .waiting(_, let cause), .pausing(_, let cause): state.lastCause = cause
            case .asking, .receiving: break
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

    /// Reports that the body of a bad response could not be written.
    func report(_ error: Fetch.Error) {
        if case .brokenPipe = error { state.withLock { $0.isPipeBroken = true } }
        write(error.description)
    }

    /// Draws the progress line ten times a second, on a terminal, until the task is cancelled.
    func animate() async {
        guard isLive else { return }
        // A short fetch needs no progress line.
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
        // The last column stays free: some terminals wrap after it.
        let columns = max(20, (isKnown ? min(Int(window.ws_col), 1_000) : 80) - 1)
        let line = state.progress.line(at: time.now, columns: columns, isASCII: isASCII).printable
        guard line != state.shown else { return }
        _ = writeAll("\r\(line)\u{1B}[K", to: STDERR_FILENO)
        state.shown = line
    }

    private func erase(_ state: inout State) {
        guard !state.shown.isEmpty, Self.isWritable(within: .seconds(1)) else { return }
        _ = writeAll("\r\u{1B}[K", to: STDERR_FILENO)
        state.shown = ""
    }

    /// Whether standard error takes a line without blocking, or will before long.
    private static func isWritable(within limit: Duration) -> Bool {
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, Int32(limit / .milliseconds(1))) != 0
    }
}
