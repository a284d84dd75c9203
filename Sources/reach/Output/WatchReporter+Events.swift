import Monitoring
import Reporting

extension WatchReporter {
    /// Writes an event as JSON objects, one for each target that it concerns.
    func writeObjects(for event: RosterEvent, _ roster: Roster) {
        let (now, wall, redaction) = (time.now, time.wall, redaction.current)
        for record in EventRecord.records(of: event, in: roster, at: now, wall: wall, redaction: redaction) {
            output.enqueue(record.json)
        }
        if case .hookSkipped(let id, let rule, let drop) = event, let target = roster[id]?.target {
            let record = HookRecord(
                skipped: rule,
                of: target,
                because: drop,
                at: now,
                wall: wall,
                redaction: redaction
            )
            output.enqueue(record.json)
        }
    }

    /// Writes an event as text: a transition to standard output, all other events to standard error.
    func writeText(for event: RosterEvent, _ roster: Roster) {
        let priority: JournalPriority = event.isProblem ? .warning : .info
        switch event {
        case .transition(let id, let transition):
            guard let target = roster[id]?.target else { return }
            let redaction = redaction.current
            let name = redaction.label(of: target)
            let line = EventLine(transition, of: name, wall: time.wall, redaction: redaction).text
            output.enqueue(JournalPriority.isUsedForOutput ? JournalPriority(transition).prefixing(line) : line)
        case .disarmed(_, _, let name, _):
            printMessage(name, event.sentence)
        case .scheduleMissed, .scheduleKept, .stalled:
            printMessage("reach", event.summary, at: event.time, priority: priority)
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
            guard let text = past.lastSeen[state.id]?.summary(at: now) else { continue }
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
        switch self {
        case .fault, .scheduleMissed, .stalled: true
        default: false
        }
    }

    /// The summary with what explains it.
    fileprivate var sentence: String {
        switch self {
        case .addressChanged: "\(summary) (\(note ?? ""))"
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
        let text = "hook \(run.rule.action) \(summary)"
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
