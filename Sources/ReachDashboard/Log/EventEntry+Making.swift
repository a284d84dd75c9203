import ReachMonitoring
import ReachScreen

extension EventEntry {
    /// Creates the entry of an event of the roster; nil if its target no longer exists, or if another entry says it.
    ///
    /// - Parameter wall: the wall time of the program's start, for times in texts.
    init?(_ event: RosterEvent, in roster: Roster, wall: WallTime) {
        let time = event.time
        let summary = event.summary(ofHook: Self.short)
        let names = event.targets.compactMap { roster[$0]?.target.label }
        let targets = event.targets
        switch event.kind {
        case .paused, .resumed:
            // The action of the user has an entry.
            return nil
        case .flapping(false, _) where event.targets.contains { roster[$0]?.isPaused == true }:
            // The entry of a pause says enough: the target has not become steady.
            return nil
        case .scheduleMissed, .scheduleKept, .stalled:
            self.init(time, .program(isProblem: event.kind != .scheduleKept), summary)
        case .path(.ended) where event.targets.allSatisfy({ roster[$0]?.commonCause != nil }):
            // The entry of the common cause stands for them, and the details have where each path ends.
            return nil
        case .cause(.joined):
            // The header has the number of the targets, and each of them an entry.
            return nil
        case .cause(let news):
            self.init(
                time,
                .cause(isProblem: news.isProblem),
                summary,
                note: Self.list(of: names),
                trigger: event.trigger,
                targets: targets
            )
        case .shift(.common(let shift)):
            // Each of the targets has an entry too.
            let subject = Subject.shift(.common(shift), of: nil)
            self.init(time, subject, event.summary(wall: wall), note: Self.list(of: names), targets: targets)
        case .disarmed(_, let name, _):
            self.init(time, .hook(name: name, isSuccess: nil), summary, note: event.note, targets: targets)
        case .blocked(let blocker) where names.count > 1:
            // One entry for all, since hundreds may depend on one switch.
            self.init(
                time,
                .blocked(name: blocker.name),
                "blocks \(names.count) targets",
                note: Self.list(of: names),
                targets: targets
            )
        case .unblocked where names.count > 1:
            let text = "\(names.count) targets are \(summary)"
            self.init(time, .program(isProblem: false), text, note: Self.list(of: names), targets: targets)
        case _ where names.count > 1:
            let text = "\(names.count) targets: \(summary)"
            self.init(time, .program(isProblem: false), text, note: Self.list(of: names), targets: targets)
        default:
            guard let name = names.first else { return nil }
            let text = if case .shift = event.kind { event.summary(wall: wall) } else { summary }
            let subject = Subject(event, of: name)
            let isFlapping = targets.contains { roster[$0]?.isFlapping == true }
            let evidence =
                if case .transition(let transition) = event.kind { transition.evidence } else { nil as String? }
            self.init(
                time,
                subject,
                text,
                note: event.note,
                evidence: evidence,
                trigger: event.trigger,
                targets: targets,
                fold: FoldKey(of: subject, event.change, text, shift: event.shift, isFlapping: isFlapping)
            )
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
        let targets = [report.run.target]
        let name = report.run.context.name
        let text = report.sentence(ofHook: Self.short)
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
                lines: output.suffix(Self.outputLines),
                targets: targets
            )
        case .retrying:
            self.init(now, .hook(name: name, isSuccess: nil), text, targets: targets)
        case .dropped(_, let drop):
            self.init(now, .hook(name: name, isSuccess: nil), text, note: drop.summary, targets: targets)
        }
    }

    /// The action, truncated to leave room for the result.
    private static func short(_ action: HookAction) -> String {
        "\(action)".truncated(toColumns: 40)
    }

    /// The maximum number of output lines that the events show for a hook run.
    static let outputLines = 8
}

extension EventEntry.Subject {
    /// The subject of an event of one target.
    fileprivate init(_ event: RosterEvent, of name: String) {
        self =
            switch event.kind {
            case .shift(let news): .shift(news, of: name)
            case .transition(let transition): .health(name: name, transition)
            case .fault: .fault(name: name)
            case .blocked: .blocked(name: name)
            case .path(let news): .path(name: name, isChange: news.isChange)
            case .flapping: .flapping(name: name)
            case .hookSkipped, .armed: .hook(name: name, isSuccess: nil)
            default: .target(name: name)
            }
    }
}

extension EventEntry.Subject {
    /// The subject of a shift.
    ///
    /// - Parameter name: the target; nil for several.
    fileprivate static func shift(_ news: ShiftNews, of name: String?) -> Self {
        .shift(name: name, isProblem: news.change.isProblem, began: news.began)
    }
}

extension CauseNews {
    /// Whether something failed, and is not over.
    fileprivate var isProblem: Bool {
        if case .ended = self { false } else { true }
    }
}

extension RosterEvent {
    /// The change of health with its reason; nil for another event.
    fileprivate var change: FoldKey.Change? {
        if case .transition(let transition) = kind { (transition.from, transition.to, transition.reason) } else { nil }
    }

    /// The change of the usual round trips or losses; nil for another event.
    fileprivate var shift: ShiftNews.Change? {
        if case .shift(let news) = kind { news.change } else { nil }
    }

    /// The text of a shift with the time when it began.
    fileprivate func summary(wall: WallTime) -> String {
        guard case .shift(let news) = kind else { return summary }
        return news.sentence { wall.minuteOfDay(at: $0) }
    }

    /// The trigger of the hooks that wait for the event; nil if none can.
    fileprivate var trigger: HookContext.Trigger? {
        switch kind {
        case .transition(let transition): .transition(transition)
        case .addressChanged(let old, let new): .address(from: old, to: new)
        case .path(let news): .path(news)
        case .shift(let news): .shift(news)
        case .cause(let news): .cause(news.cause)
        case .flapping(let isFlapping, let share): .flapping(isFlapping: isFlapping, share: share)
        default: nil
        }
    }
}

extension EventEntry {
    /// Whether the event triggered a run of this target's hooks.
    func isTrigger(of run: HookRun, label: String) -> Bool {
        if case .cause(let reported) = run.context.trigger { return trigger == .cause(reported) }
        guard subject.name == label else { return false }
        switch (trigger, run.context.trigger) {
        // When flapping ends, hooks report the last change as one from the health that they reported before.
        case (.transition(let logged), .transition(let reported)):
            return logged.time == reported.time && logged.to == reported.to
        case (let logged?, let reported): return logged == reported
        case (nil, _): return false
        }
    }
}
