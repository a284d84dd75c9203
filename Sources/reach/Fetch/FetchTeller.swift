import Fetching
import LibC
import Monitoring
import ReachKit
import Reporting
import Synchronization

/// What `reach fetch` says on standard error: a line for what went wrong, and, on a terminal, one that shows how far it is.
final class FetchTeller: Sendable {
    private struct State {
        var progress = FetchProgress()
        /// What stands on the terminal and is to be erased before anything else is said.
        var shown = ""
        var isClosed = false
        var problem: FileProblem?
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

    /// What there is to say when the time is up: how much has come, or what was the trouble last.
    var standing: String? {
        state.withLock { state in
            guard case .receiving(let count, let length, _) = state.progress.stage else { return state.lastCause }
            return "\(count.bytesText)\(length.map { " of \($0.bytesText)" } ?? "") had come"
        }
    }

    /// Why the body could not be written, if that is so.
    var problem: FileProblem? { state.withLock(\.problem) }

    /// How often the request has gone out.
    var tries: Int { state.withLock(\.tries) }

    /// Tells what a fetch says of itself.
    func tell(_ event: Fetch.Event) {
        switch event {
        case .waiting(let place, let cause):
            say("waiting for \(place): \(cause)")
            enter(.waiting(for: place, because: cause))
        case .asking(let count):
            state.withLock { $0.tries = count }
            enter(.asking)
        case .pausing(let pause, let tries, let error):
            say("try \(tries): \(error); again in \(pause.lapseText)")
            enter(.pausing(until: now + pause, because: error.description))
        case .receiving(let length):
            enter(.receiving(0, of: length, since: now))
        case .received(let bytes):
            count(bytes)
        }
    }

    /// Says a line for a person; what a server sent may be in it.
    func say(_ line: String) {
        guard !isQuiet else { return }
        state.withLock { state in
            // A pipe that nobody reads must not keep the program from its end.
            guard Self.isHeard(within: .seconds(1)) else { return }
            erase(&state)
            StandardStreams.complain(line.printable)
        }
    }

    /// Shows that something else is going on now.
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

    /// Keeps why the body could not be written.
    func note(_ problem: FileProblem) {
        state.withLock { $0.problem = problem }
    }

    /// Draws the line ten times a second, on a terminal, until the task is cancelled.
    func animate() async {
        guard isLive else { return }
        // What takes no time needs no line.
        try? await Task.sleep(for: .milliseconds(300))
        while !Task.isCancelled {
            state.withLock { draw(&$0) }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Erases the line; nothing is drawn any more.
    func close() {
        state.withLock { state in
            erase(&state)
            state.isClosed = true
        }
    }

    private func draw(_ state: inout State) {
        guard !state.isClosed, Self.isHeard(within: .zero) else { return }
        var window = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
        // The last column stays free: some terminals go to the next line after it.
        let columns = max(20, (isKnown ? min(Int(window.ws_col), 1_000) : 80) - 1)
        let line = state.progress.line(at: time.now, columns: columns, isASCII: isASCII).printable
        guard line != state.shown else { return }
        _ = writeAll("\r\(line)\u{1B}[K", to: STDERR_FILENO)
        state.shown = line
    }

    private func erase(_ state: inout State) {
        guard !state.shown.isEmpty, Self.isHeard(within: .seconds(1)) else { return }
        _ = writeAll("\r\u{1B}[K", to: STDERR_FILENO)
        state.shown = ""
    }

    /// Whether standard error takes a line without blocking, or will before long.
    private static func isHeard(within limit: Duration) -> Bool {
        var polled = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&polled, 1, Int32(limit / .milliseconds(1))) != 0
    }
}
