import Monitoring
import Screen

extension LogEntry {
    /// Creates the entry of an event of the roster; nil if its target no longer exists, or if another entry says it.
    init?(_ event: RosterEvent, in roster: Roster, at now: Duration) {
        switch event {
        case .transition(let id, let transition):
            guard let state = roster[id] else { return nil }
            self.init(
                transition.time,
                .health(name: state.target.label, transition),
                transition.summary,
                note: transition.before,
                trigger: .transition(transition)
            )
            isOfFlapping = state.isFlapping
        case .fault(let id, let fault):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(now, .fault(name: name), "cannot be probed: \(fault.summary)")
        case .faultCleared(let id):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(now, .target(name: name), "can be probed again")
        case .addressChanged(let id, let old, let new):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(
                now,
                .target(name: name),
                "has another address: \(new)",
                note: "was \(old)",
                trigger: .address(from: old, to: new)
            )
        case .session(let id, let state, let time):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(time, .target(name: name), state.summary)
        case .blocked(let ids, let blocker, let time):
            self.init(blocked: ids.compactMap { roster[$0]?.target.label }, by: blocker, at: time)
        case .unblocked(let ids, let time):
            self.init(unblocked: ids.compactMap { roster[$0]?.target.label }, at: time)
        case .paused, .resumed:
            // The action of the user has an entry.
            return nil
        case .flapping(let id, let isFlapping, let share, let time):
            // The entry of a pause says enough: the target has not become steady.
            guard let state = roster[id], isFlapping || !state.isPaused else { return nil }
            self.init(
                time,
                .flapping(name: state.target.label),
                RosterEvent.flappingSummary(isFlapping, share: share),
                trigger: .flapping(isFlapping: isFlapping, share: share)
            )
        case .maintenance(let ids, let name, let end, let time):
            self.init(
                RosterEvent.maintenanceSummary(name, for: end - time),
                of: ids.compactMap { roster[$0]?.target.label },
                at: time
            )
        case .maintenanceEnded(let ids, let time):
            self.init(RosterEvent.maintenanceEndedSummary, of: ids.compactMap { roster[$0]?.target.label }, at: time)
        case .scheduleMissed(let share, let time):
            self.init(time, .program(isProblem: true), RosterEvent.scheduleMissedSummary(share: share))
        case .scheduleKept(let time):
            self.init(time, .program(isProblem: false), RosterEvent.scheduleKeptSummary)
        case .stalled(let gap, let time):
            self.init(time, .program(isProblem: true), RosterEvent.stalledSummary(gap))
        case .hookSkipped(let id, let rule, let drop):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(
                now,
                .hook(name: name, isSuccess: nil),
                "hook \(Self.short(rule.action)) did not run",
                note: drop.summary
            )
        case .armed(let id, let hook):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(
                now,
                .hook(name: name, isSuccess: nil),
                "hook \(Self.short(hook.action)) is armed",
                note: hook.within.map { "for \($0.settingsText)" }
            )
        case .disarmed(_, let hook, let name, let drop):
            self.init(
                now,
                .hook(name: name, isSuccess: nil),
                "hook \(Self.short(hook.action)) did not run",
                note: drop.summary
            )
        case .hooksMissing(let id):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(now, .target(name: name), "has no hooks")
        case .acknowledged(let id, let acknowledgement):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(acknowledgement.since, .target(name: name), acknowledgement.summary)
        case .acknowledgementEnded(let id, let end, let time):
            guard let name = roster[id]?.target.label else { return nil }
            self.init(time, .target(name: name), end.summary)
        }
    }

    /// One entry for all targets that are blocked at the same time, since hundreds may depend on one switch.
    private init?(blocked names: [String], by blocker: Blocker, at time: Duration) {
        guard let first = names.first else { return nil }
        guard names.count > 1 else {
            self.init(time, .blocked(name: first), blocker.summary)
            return
        }
        self.init(
            time,
            .blocked(name: blocker.name),
            "blocks \(names.count) targets",
            note: Self.list(of: names)
        )
    }

    private init?(unblocked names: [String], at time: Duration) {
        guard let first = names.first else { return nil }
        guard names.count > 1 else {
            self.init(time, .target(name: first), RosterEvent.unblockedSummary)
            return
        }
        self.init(
            time,
            .program(isProblem: false),
            "\(names.count) targets are \(RosterEvent.unblockedSummary)",
            note: Self.list(of: names)
        )
    }

    private init?(_ summary: String, of names: [String], at time: Duration) {
        guard let first = names.first else { return nil }
        guard names.count > 1 else {
            self.init(time, .target(name: first), summary)
            return
        }
        self.init(
            time,
            .program(isProblem: false),
            "\(names.count) targets: \(summary)",
            note: Self.list(of: names)
        )
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
