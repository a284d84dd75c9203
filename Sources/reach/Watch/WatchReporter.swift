import ReachHooks
import ReachMonitoring
import ReachReporting
import ReachSystem
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

extension WatchReporter {
    /// Writes an event as JSON objects, one for each target that it concerns.
    func writeObjects(for event: RosterEvent, _ roster: Roster) {
        let (wall, redaction) = (time.wall, redaction.current)
        for record in EventRecord.records(of: event, in: roster, wall: wall, redaction: redaction) {
            output.enqueue(record.json)
        }
        for record in HookRecord.records(ofSkip: event, in: roster, wall: wall, redaction: redaction) {
            output.enqueue(record.json)
        }
    }

    /// Writes an event as text: a transition to standard output, all other events to standard error.
    func writeText(for event: RosterEvent, _ roster: Roster) {
        let priority: JournalPriority = event.isProblem ? .warning : .info
        switch event.kind {
        case .transition(let transition):
            let redaction = redaction.current
            for target in event.targets.compactMap({ roster[$0]?.target }) {
                let name = redaction.label(of: target)
                let line = EventLine(transition, of: name, wall: time.wall, redaction: redaction).text
                output.enqueue(JournalPriority.isUsedForOutput ? JournalPriority(transition).prefixing(line) : line)
            }
        case .disarmed(_, let name, _):
            printMessage(name, event.sentence, at: event.time)
        case .scheduleMissed, .scheduleKept, .stalled:
            printMessage("reach", event.summary, at: event.time, priority: priority)
        case .cause(.joined):
            // The line of the cause has its number at that time, and each target its own line.
            break
        case .cause:
            printMessage("cause", event.summary, at: event.time, priority: priority)
        case .shift(.common):
            printMessage("shift", event.summary, at: event.time, priority: priority)
        case .paused, .resumed:
            // Only keys of the dashboard pause targets.
            break
        default:
            let sentence = redaction.current.event(event).sentence
            for id in event.targets {
                guard let name = roster[id]?.target.label else { continue }
                printMessage(name, sentence, at: event.time, priority: priority)
            }
        }
    }

    /// Writes a message about each target that was down when the program ended.
    func report(_ past: StoredPast, of roster: Roster) {
        let now = time.wall.start + time.now
        for state in roster.states {
            guard let text = past.summary(of: state.id, at: now) else { continue }
            printMessage(state.target.label, text)
        }
    }

    /// Writes a message about a target or the program to standard error.
    func printMessage(_ name: String, _ text: String, at time: Duration? = nil, priority: JournalPriority = .info) {
        guard !isQuiet else { return }
        let redaction = redaction.current
        let (label, redacted) = (redaction.label(name), redaction.text(text))
        let line = EventLine(at: time ?? self.time.now, label, redacted, wall: self.time.wall).text
        printMessage(line, priority: priority)
    }
}

extension RosterEvent {
    /// Whether a target or this machine cannot probe.
    fileprivate var isProblem: Bool {
        switch kind {
        case .fault, .scheduleMissed, .stalled, .cause(.named): true
        default: false
        }
    }

    /// The summary with its explanation.
    fileprivate var sentence: String {
        switch kind {
        case .shift(let news) where news.ends == nil && time - news.began >= .seconds(10):
            "\(summary) (began \((time - news.began).spanText) before)"
        case .addressChanged: "\(summary) (\(note ?? ""))"
        case .path: summary + (note.map { " (\($0))" } ?? "")
        case .hookSkipped, .disarmed: "\(summary): \(note ?? "")"
        default: summary
        }
    }
}

extension HookReport {
    /// Whether the run has failed.
    var isFailure: Bool {
        if case .finished(_, let result) = self { !result.isSuccess } else { false }
    }

    /// The result of a run as text, and the last output line of a failed run; empty for a start.
    var lines: [String] {
        let text = sentence()
        switch self {
        case .started:
            return []
        case .retrying:
            return [text]
        case .finished(_, let result):
            let output = result.isSuccess ? nil : result.output.split(whereSeparator: \.isNewline).last
            return [text] + (output.map { ["hook output: \($0)"] } ?? [])
        case .dropped(_, let drop):
            return ["\(text): \(drop.summary)"]
        }
    }
}

extension HookRun {
    /// The target at the time when the hook fired, for a target that the settings no longer contain.
    var formerTarget: Target {
        Target(name: context.name, question: context.question, group: context.group)
    }
}
