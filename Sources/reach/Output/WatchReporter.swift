import Hooks
import LibC
import Monitoring
import Reporting
import UnixSignals

/// Reports the events of `reach watch`: data on standard output, messages on standard error. Neither blocks the program.
struct WatchReporter: Sendable {
    /// The output format.
    enum Format: Sendable, Hashable {
        /// Transitions as lines of text on standard output, and all other events on standard error.
        case text
        /// Events as JSON on standard output, one object per line; messages on standard error.
        case json
    }

    let time: ProgramTime
    let format: Format
    /// Whether observations are reported as well.
    let hasObservations: Bool
    /// Whether to omit messages about events.
    let isQuiet: Bool
    /// Removes secrets, since the lines of a service end up in a log.
    let redaction: SharedRedaction
    let output: LineWriter
    let errors: LineWriter

    /// Reports the observations of findings that the roster is about to record. Those that the roster ignores are omitted.
    func report(_ findings: [Finding], of roster: Roster) {
        defer { reportDroppedLines(at: time.now) }
        guard hasObservations else { return }
        let (wall, redaction) = (time.wall, redaction.current)
        for case .observation(let observation) in findings where roster.judges(observation) {
            guard let target = roster[observation.target]?.target, !target.isOfOtherShard else { continue }
            let name = redaction.label(of: target)
            let line =
                switch format {
                case .json: ObservationRecord(observation, of: name, wall: wall, redaction: redaction).json
                case .text:
                    EventLine(at: observation.time, name, redaction.text(observation.summary), wall: wall).text
                }
            output.enqueue(line, as: .observation)
        }
    }

    /// Reports events.
    func report(_ events: [RosterEvent], of roster: Roster) {
        for event in events.compactMap({ $0.ofThisShard(in: roster) }) {
            switch format {
            case .json: writeObjects(for: event, roster)
            case .text: writeText(for: event, roster)
            }
        }
    }

    /// Reports a hook run: as an object on standard output, or as text on standard error.
    func report(_ report: HookReport, of roster: Roster) {
        if case .json = format {
            let target = roster[report.run.target]?.target ?? report.run.formerTarget
            let redaction = redaction.current
            let record = HookRecord(report, of: target, at: time.now, wall: time.wall, redaction: redaction)
            if let record { output.enqueue(record.json) }
        } else {
            let name = roster[report.run.target]?.target.label ?? report.run.context.name
            let priority: JournalPriority = report.isFailure ? .warning : .info
            report.lines.forEach { printMessage(name, $0, priority: priority) }
        }
    }

    /// Writes a message with the prefix `reach:` to standard error.
    func printMessage(_ line: String, priority: JournalPriority = .info) {
        errors.enqueue(priority.prefixed("reach: \(line)"))
    }

    /// Reports a write error of standard output.
    ///
    /// - Returns: The exit status: 141 (SIGPIPE) without a message when the reader has exited, otherwise 1.
    func status(afterOutputError code: Int32) -> Int32 {
        guard code != EPIPE else { return 128 + UnixSignal.sigpipe.rawValue }
        printMessage("cannot write to standard output: \(SystemError(code))", priority: .error)
        return 1
    }

    /// Flushes both streams, but does not wait for a reader that has stalled.
    func finish() async {
        let unread = await output.flush()
        reportDroppedLines()
        if unread > 0 {
            printMessage("standard output: the reader did not read the last \(unread) bytes", priority: .warning)
        }
        _ = await errors.flush()
    }

    private func reportDroppedLines(at now: Duration? = nil) {
        guard let dropCounts = output.nextDropReport(at: now) else { return }
        printMessage("standard output is read too slowly: dropped \(dropCounts)", priority: .warning)
    }
}
