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
                trigger: event.trigger
            )
        case .shift(.common(let shift)):
            // Each of the targets has an entry too.
            let subject = Subject.shift(.common(shift), of: nil)
            self.init(time, subject, event.summary(wall: wall), note: Self.list(of: names))
        case .disarmed(_, let name, _):
            self.init(time, .hook(name: name, isSuccess: nil), summary, note: event.note)
        case .blocked(let blocker) where names.count > 1:
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
            let text = if case .shift = event.kind { event.summary(wall: wall) } else { summary }
            self.init(time, Subject(event, of: name), text, note: event.note, trigger: event.trigger)
            switch event.kind {
            case .transition, .shift: isOfFlapping = event.targets.contains { roster[$0]?.isFlapping == true }
            default: break
            }
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
    /// A hook run that an event triggered, with its progress and the end of its output; or a hook that the event did not
    /// run.
    struct Run: Sendable, Hashable {
        /// The run; nil if the hook was skipped.
        let id: HookRun.ID?
        /// The program or the request, as a short name.
        let name: String
        private var progress: Progress<State>

        private struct State: Sendable, Hashable {
            var status: String
            let role: Role
            var output: [String] = []
        }

        /// The progress in a few words: `running`, `ok, 0.2s`, `failed, status 1`.
        var status: String { progress.newest.status }
        var role: Role { progress.newest.role }
        /// The last lines of the output.
        var output: [String] { progress.newest.output }

        init(_ run: HookRun) {
            id = run.id
            name = run.rule.action.shortName
            let waiting = HookEntry.State.waiting
            progress = Progress(State(status: waiting.statusText, role: waiting.role), at: run.context.time)
        }

        /// Creates a hook that was skipped.
        init(_ drop: HookDrop, of action: HookAction, at time: Duration) {
            id = nil
            name = action.shortName
            progress = Progress(State(status: "\(HookDrop.summary()): \(drop.summary)", role: .waiting), at: time)
        }

        /// The run at a past time; nil before it was requested.
        func rewound(to time: Duration) -> Run? {
            guard let progress = progress.until(time) else { return nil }
            var past = self
            past.progress = progress
            return past
        }

        mutating func record(_ report: HookReport, at time: Duration) {
            let entered = HookEntry.State(report)
            var state = State(status: entered.statusText, role: entered.role)
            defer { progress.enter(state, at: time) }
            switch report {
            case .started, .retrying:
                break
            case .dropped(_, let drop):
                state.status = "\(report.summary): \(drop.summary)"
            case .finished(let run, let result):
                state.status = result.verdict + (run.attempt == 1 ? "" : ", attempt \(run.attempt)")
                state.output = result.output.split(whereSeparator: \.isNewline).suffix(EventEntry.outputLines).map(
                    String.init
                )
            }
        }
    }

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

extension HookResult {
    /// Whether the run succeeded, in a few words: `ok, 0.2s`, `failed, status 1`.
    fileprivate var verdict: String {
        isSuccess ? "\(statusText), \(duration.elapsedText)" : statusText
    }
}

extension HookAction {
    /// The name of the program, without its directory and arguments; the method and the host of a request.
    var shortName: String {
        let name =
            switch self {
            case .command(.shell(let line)):
                // Neither `NAME=value` before the program, nor the shell's signs.
                line.split { $0.isWhitespace || "(){}!;&|\"'`".contains($0) }.first { !$0.contains("=") } ?? line[...]
            case .command(.program(let name, _)):
                name[...]
            case .request(let webhook):
                "\(webhook.method) \(webhook.authority)"[...]
            }
        let last = name.split(separator: "/").last ?? name
        return String(last).truncated(toColumns: 24)
    }
}

extension Webhook {
    /// The host of the URL, with the port.
    fileprivate var authority: Substring {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    }
}
