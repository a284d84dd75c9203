import Monitoring
import Screen

extension LogEntry {
    /// Creates the entry of an event of the roster; nil if its target no longer exists, or if another entry says it.
    init?(_ event: RosterEvent, in roster: Roster, at now: Duration) {
        let time = event.time ?? now
        let summary = event.summary(ofHook: Self.short)
        let names = event.targets.compactMap { roster[$0]?.target.label }
        switch event {
        case .paused, .resumed:
            // The action of the user has an entry.
            return nil
        case .flapping(let id, false, _, _) where roster[id]?.isPaused == true:
            // The entry of a pause says enough: the target has not become steady.
            return nil
        case .scheduleMissed, .scheduleKept, .stalled:
            self.init(time, .program(isProblem: event != .scheduleKept(at: time)), summary)
        case .disarmed(_, _, let name, _):
            self.init(time, .hook(name: name, isSuccess: nil), summary, note: event.note)
        case .blocked(_, let blocker, _) where names.count > 1:
            // One entry for all, since hundreds may depend on one switch.
            self.init(
                time,
                .blocked(name: blocker.name),
                "blocks \(names.count) targets",
                note: Self.list(of: names)
            )
        case .unblocked where names.count > 1:
            let text = "\(names.count) targets are \(summary)"
            self.init(time, .program(isProblem: false), text, note: Self.list(of: names))
        case _ where names.count > 1:
            let text = "\(names.count) targets: \(summary)"
            self.init(time, .program(isProblem: false), text, note: Self.list(of: names))
        default:
            guard let name = names.first else { return nil }
            self.init(time, Subject(event, of: name), summary, note: event.note, trigger: event.trigger)
            if case .transition(let id, _) = event { isOfFlapping = roster[id]?.isFlapping ?? false }
        }
    }

    /// The maximum number of targets that an entry names; more than fit a line of usual width.
    private static let namedTargets = 40

    private static func list(of names: [String]) -> String {
        let more = names.count - namedTargets
        return names.prefix(namedTargets).joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
    }

    /// Creates the entry of a report about a hook run without an event, such as a test; nil for a start, since the result
    /// is reported too.
    init?(_ report: HookReport, at now: Duration) {
        let name = report.run.context.name
        let text = "hook \(Self.short(report.run.rule.action)) \(report.summary)"
        switch report {
        case .started:
            return nil
        case .finished(_, let result):
            let output = result.output.split(whereSeparator: \.isNewline).map(String.init)
            self.init(
                now,
                .hook(name: name, isSuccess: result.isSuccess),
                text,
                note: output.last,
                lines: output.suffix(Self.outputLines)
            )
        case .retrying:
            self.init(now, .hook(name: name, isSuccess: nil), text)
        case .dropped(_, let drop):
            self.init(now, .hook(name: name, isSuccess: nil), text, note: drop.summary)
        }
    }

    /// The action, truncated to leave room for the result.
    private static func short(_ action: HookAction) -> String {
        "\(action)".truncated(toColumns: 40)
    }

    /// The maximum number of output lines that the events show for a hook run.
    static let outputLines = 8
}

extension LogEntry.Subject {
    /// The subject of an event of one target.
    fileprivate init(_ event: RosterEvent, of name: String) {
        self =
            switch event {
            case .transition(_, let transition): .health(name: name, transition)
            case .fault: .fault(name: name)
            case .blocked: .blocked(name: name)
            case .flapping: .flapping(name: name)
            case .hookSkipped, .armed: .hook(name: name, isSuccess: nil)
            default: .target(name: name)
            }
    }
}

extension RosterEvent {
    /// The trigger of the hooks that wait for the event; nil if none can.
    fileprivate var trigger: HookContext.Trigger? {
        switch self {
        case .transition(_, let transition): .transition(transition)
        case .addressChanged(_, let old, let new): .address(from: old, to: new)
        case .flapping(_, let isFlapping, let share, _): .flapping(isFlapping: isFlapping, share: share)
        default: nil
        }
    }
}
