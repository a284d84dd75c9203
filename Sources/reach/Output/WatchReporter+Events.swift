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
        let printEvent = { (id: Target.ID, text: String, time: Duration?) in
            guard let name = roster[id]?.target.label else { return }
            printMessage(name, text, at: time, priority: event.isProblem ? .warning : .info)
        }
        switch event {
        case .transition(let id, let transition):
            guard let target = roster[id]?.target else { return }
            let redaction = redaction.current
            let name = redaction.label(of: target)
            let line = EventLine(transition, of: name, wall: time.wall, redaction: redaction).text
            output.enqueue(JournalPriority.isUsedForOutput ? JournalPriority(transition).prefixing(line) : line)
        case .fault(let id, let fault):
            printEvent(id, "cannot be probed: \(fault.summary)", nil)
        case .faultCleared(let id):
            printEvent(id, "can be probed again", nil)
        case .addressChanged(let id, let old, let new):
            printEvent(id, "has another address: \(new) (was \(old))", nil)
        case .session(let id, let state, let time):
            printEvent(id, state.summary, time)
        case .blocked(let ids, let blocker, let time):
            let summary = redaction.current.blocker(blocker).summary
            for id in ids { printEvent(id, summary, time) }
        case .unblocked(let ids, let time):
            for id in ids { printEvent(id, RosterEvent.unblockedSummary, time) }
        case .flapping(let id, let isFlapping, let share, let time):
            printEvent(id, RosterEvent.flappingSummary(isFlapping, share: share), time)
        case .maintenance(let ids, let name, let end, let time):
            for id in ids { printEvent(id, RosterEvent.maintenanceSummary(name, for: end - time), time) }
        case .maintenanceEnded(let ids, let time):
            for id in ids { printEvent(id, RosterEvent.maintenanceEndedSummary, time) }
        case .scheduleMissed(let share, let time):
            printMessage("reach", RosterEvent.scheduleMissedSummary(share: share), at: time, priority: .warning)
        case .scheduleKept(let time):
            printMessage("reach", RosterEvent.scheduleKeptSummary, at: time)
        case .stalled(let gap, let time):
            printMessage("reach", RosterEvent.stalledSummary(gap), at: time, priority: .warning)
        case .hookSkipped(let id, let rule, let drop):
            printEvent(id, "hook \(rule.action) did not run: \(drop.summary)", nil)
        case .armed(let id, let hook):
            printEvent(id, "hook \(hook.action) is armed", nil)
        case .disarmed(_, let hook, let name, let drop):
            printMessage(name, "hook \(hook.action) did not run: \(drop.summary)")
        case .hooksMissing(let id):
            printEvent(id, "has no hooks", nil)
        case .acknowledged(let id, let acknowledgement):
            printEvent(id, acknowledgement.summary, acknowledgement.since)
        case .acknowledgementEnded(let id, let end, let time):
            printEvent(id, end.summary, time)
        case .paused, .resumed:
            // Only keys of the dashboard pause targets.
            break
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
    /// Whether a target cannot be probed.
    fileprivate var isProblem: Bool {
        if case .fault = self { true } else { false }
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
