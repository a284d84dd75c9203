import Monitoring

/// What comes from outside: what is known of the targets, what happened, and the time. A frozen screen shows a copy of it.
struct LiveState: Sendable {
    private(set) var roster = Roster()
    private(set) var log = EventLog()
    private(set) var hooks = HookLog()
    /// How many hooks of a target are running.
    private(set) var runningHooks: [Target.ID: Int] = [:]
    /// The problems of the settings file when it was refused the last time it was read; empty when it was accepted.
    private(set) var refusal: [String] = []
    private(set) var now = Duration.zero
    private(set) var wall: WallTime

    /// The state at the start of the program: no targets.
    init(wall: WallTime) {
        self.wall = wall
    }

    /// The whole seconds of the wall clock, as the screen shows them.
    private var second: Int64 { (wall.start + now).components.seconds }

    /// Moves the time on; it never goes back.
    mutating func advance(to now: Duration) {
        self.now = max(self.now, now)
    }

    /// Moves the time on, and sets the wall clock.
    ///
    /// - Returns: Whether another second is shown.
    mutating func advance(to now: Duration, wall: WallTime) -> Bool {
        let before = second
        advance(to: now)
        self.wall = wall
        return second != before
    }

    /// Changes the roster, and logs the change.
    ///
    /// - Parameter entry: logged before the consequences.
    mutating func change(
        logging entry: LogEntry? = nil,
        _ change: (_ roster: inout Roster, _ now: Duration) -> Consequences
    ) -> Consequences {
        let consequences = change(&roster, now)
        if let entry { log.append(entry) }
        for event in consequences.events {
            if let entry = LogEntry(event, in: roster, at: now) { log.append(entry) }
            record(event)
        }
        for run in consequences.runs { hooks.append(run) }
        return consequences
    }

    /// Records the hooks that were dropped before there was a run of them.
    private mutating func record(_ event: RosterEvent) {
        switch event {
        case .hookSkipped(let id, let rule, let drop):
            let name = roster[id]?.target.label ?? ""
            let cause = roster[id].map { $0.health.rawValue } ?? ""
            hooks.append(drop, of: rule.action, target: id, name: name, at: now, because: cause)
        case .disarmed(let id, let hook, let name, let drop):
            hooks.append(drop, of: hook.action, target: id, name: name, at: now, because: "armed")
        default:
            break
        }
    }

    /// Clears the figures of targets.
    mutating func reset(_ ids: [Target.ID]) {
        roster.reset(ids, at: now)
    }

    /// Records a change in the state of a hook run.
    mutating func record(_ report: HookReport) {
        let id = report.run.target
        roster.record(report)
        hooks.record(report)
        switch report {
        case .started:
            runningHooks[id, default: 0] += 1
        case .finished:
            let left = runningHooks[id, default: 1] - 1
            runningHooks[id] = left > 0 ? left : nil
        case .retrying, .dropped:
            break
        }
        if let entry = LogEntry(report, at: now) { log.append(entry) }
    }

    /// Applies settings.
    ///
    /// - Returns: The consequences; unless these are the first settings, also what has changed, in words.
    mutating func apply(_ settings: Settings) -> (Consequences, summary: String?) {
        let before = roster.targets
        let isFirst = before.isEmpty && log.entries.isEmpty
        refusal = []
        let consequences = change { $0.apply(settings, at: $1) }
        guard !isFirst else { return (consequences, nil) }
        let summary = "settings read again: \(Self.difference(before, settings.targets))"
        log.append(LogEntry(now, .program(isTrouble: false), summary))
        return (consequences, summary)
    }

    private static func difference(_ before: [Target], _ after: [Target]) -> String {
        let old = Dictionary(before.map { ($0.label, $0) }) { first, _ in first }
        let names = Set(after.map(\.label))
        let counts = [
            (after.count { old[$0.label] == nil }, "added"),
            (before.count { !names.contains($0.label) }, "removed"),
            (after.count { target in old[target.label].map { $0 != target } ?? false }, "changed"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    }

    /// Records that settings were refused.
    mutating func refuse(_ problems: [String]) {
        refusal = problems
        let count = "\(problems.count) \(problems.count == 1 ? "problem" : "problems")"
        log.append(
            LogEntry(
                now,
                .program(isTrouble: true),
                "settings refused with \(count), the old ones keep running",
                aside: problems.first,
                lines: problems
            )
        )
    }

    /// Whether a finding is a reply of a target without a pending change of health: on the screen, only figures move.
    func onlyMovesFigures(_ finding: Finding) -> Bool {
        guard case .observation(let observation) = finding, case .reply = observation.outcome else { return false }
        return !roster.isPending(observation.target)
    }
}
