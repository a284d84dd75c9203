import ReachMonitoring

/// The state that does not depend on the user interface: targets, events, hook runs and time. A frozen screen shows a
/// copy of it.
struct LiveState: Sendable {
    private(set) var roster = Roster(keepsPast: true, watchesSides: true)
    /// On whose side the present outages are; nil if there are none.
    private(set) var sideReport: SideReport?
    private var isSideReportStale = false
    private(set) var log = EventLog()
    private(set) var hooks = HookLog()
    /// The process that runs the hooks; nil until that is known.
    private(set) var hookOwner: HookOwner?
    /// The common causes of a time before the start of the program.
    private(set) var storedCauses: [StoredCause] = []
    /// The number of running hooks of each target; targets without any are absent.
    private(set) var runningHooks: [Target.ID: Int] = [:]
    /// The problems of the last reload; empty if the settings were accepted.
    private(set) var refusal: [String] = []
    /// The problems of sources of targets, by their names; empty if all lists could be read.
    private(set) var sourceProblems: [String: String] = [:]
    private(set) var now = Duration.zero
    private(set) var wall: WallTime
    /// The times of the wall clock since the start.
    private(set) var coverage: WallCoverage
    /// The whole second of the wall clock at the last tick, as on the screen.
    private var second: Int64

    /// Creates the state at the start of the program, without targets.
    init(wall: WallTime) {
        self.wall = wall
        roster.findsCauses = true
        roster.findsShifts = true
        roster.noteWall(wall)
        coverage = WallCoverage(from: wall.start)
        second = wall.start.components.seconds
    }

    /// The wall time of the program's start since the last whole hour, for the columns of charts.
    var chartOrigin: Duration {
        .nanoseconds(wall.start.nanoseconds % 3_600_000_000_000)
    }

    /// Advances the time. It never goes back.
    mutating func advance(to now: Duration) {
        self.now = max(self.now, now)
    }

    /// Sets the wall clock at the present time.
    ///
    /// - Returns: Whether the displayed second changed.
    mutating func setWall(_ wall: WallTime) -> Bool {
        // The start is computed from two clocks each time. Columns, ticks and the times of events move only when the wall
        // clock is set.
        let isSet = (wall.start - self.wall.start).nanoseconds.magnitude > 100_000_000
        if isSet { coverage.set(from: self.wall.start + now, to: wall.start + now) }
        self.wall = WallTime(start: isSet ? wall.start : self.wall.start, zone: wall.zone)
        roster.noteWall(self.wall)
        let before = second
        second = (self.wall.start + now).components.seconds
        return second != before
    }

    /// Changes the roster, and logs the resulting events.
    ///
    /// - Parameter entry: an entry to log before those events.
    mutating func change(
        logging entry: EventEntry? = nil,
        _ change: (_ roster: inout Roster, _ now: Duration) -> Consequences
    ) -> Consequences {
        let consequences = change(&roster, now)
        if !consequences.events.isEmpty { isSideReportStale = true }
        if let entry { log.append(entry) }
        for event in consequences.events {
            if !logSkip(event), let entry = EventEntry(event, in: roster, wall: wall) {
                if event.isCorrection { log.correct(entry) } else { log.append(entry) }
            }
            record(event)
        }
        for run in consequences.runs {
            hooks.append(run)
            if let label = roster[run.target]?.target.label { log.append(run, label: label) }
        }
        return consequences
    }

    /// Logs a skipped hook with the event that would have triggered it; returns whether it did.
    private mutating func logSkip(_ event: RosterEvent) -> Bool {
        guard case .hookSkipped(let rule, let drop) = event.kind,
            let label = event.targets.first.flatMap({ roster[$0]?.target.label })
        else { return false }
        return log.append(drop, of: rule.action, label: label, at: now)
    }

    /// Records hooks that were dropped before a run of them was requested.
    private mutating func record(_ event: RosterEvent) {
        for id in event.targets {
            switch event.kind {
            case .hookSkipped(let rule, let drop):
                let name = roster[id]?.target.label ?? ""
                let cause = roster[id].map { $0.health.rawValue } ?? ""
                hooks.append(drop, of: rule.action, target: id, name: name, at: now, because: cause)
            case .disarmed(let hook, let name, let drop):
                hooks.append(drop, of: hook.action, target: id, name: name, at: now, because: "armed")
            default:
                return
            }
        }
    }

    /// Updates the report on the side of the present outages. Called once for each frame: it reads all targets.
    mutating func updateSideReport() {
        guard isSideReportStale || sideReport != nil else { return }
        isSideReportStale = false
        sideReport = roster.sideReport(at: now)
    }

    /// Begins and ends maintenance by the wall clock.
    mutating func updateMaintenance() -> Consequences {
        let wall = wall
        return change { $0.updateMaintenance(at: $1, wall: wall) }
    }

    /// The state at a past time.
    func rewound(to time: Duration) -> LiveState {
        var past = self
        past.roster = roster.rewound(to: time)
        past.log = log.rewound(to: time)
        past.hooks = hooks.rewound(to: time)
        past.runningHooks = past.hooks.running
        past.now = time
        past.sideReport = past.roster.sideReport(at: time)
        return past
    }

    /// The state with the past that the history has around a moment, in place of its own.
    func restored(to moment: StoredMoment) -> LiveState {
        var past = self
        past.roster = roster.restored(to: moment, wall: wall)
        past.storedCauses = moment.causes
        past.log = EventLog()
        past.log.prepend(moment.events.compactMap { EventEntry($0, in: roster, wall: wall) })
        past.hooks = HookLog()
        past.hooks.setRecorded(
            moment.events.filter { $0.event.kind == .hook }.enumerated()
                .compactMap { HookEntry($1, number: $0, in: roster, wall: wall) }
        )
        past.refusal = []
        return past
    }

    /// Resets the statistics of targets.
    mutating func reset(_ ids: [Target.ID]) {
        roster.reset(ids, at: now)
    }

    /// Records a change in the state of a hook run.
    mutating func record(_ report: HookReport) {
        let id = report.run.target
        roster.record(report)
        hooks.record(report, at: now)
        switch report {
        case .started:
            runningHooks[id, default: 0] += 1
        case .finished:
            let left = runningHooks[id, default: 1] - 1
            runningHooks[id] = left > 0 ? left : nil
        case .retrying, .dropped:
            break
        }
        if !log.record(report, at: now), let entry = EventEntry(report, at: now) { log.append(entry) }
    }

    /// Applies settings.
    ///
    /// - Parameter edit: the description of the edit that they result from; nil if they were read again.
    /// - Returns: The consequences, and a summary of the changes; nil for the first settings.
    mutating func apply(_ settings: Settings, edit: String?) -> (Consequences, summary: String?) {
        let before = roster.targets
        let isFirst = before.isEmpty && log.entries.isEmpty
        // An edit does not change the file on disk.
        if edit == nil { refusal = [] }
        keepSources(of: settings)
        let consequences = change { $0.apply(settings, at: $1) }
        guard !isFirst else { return (consequences, nil) }
        let probed = before.filter(\.question.method.probes)
        let summary = edit ?? "settings read again: \(TargetDifference(probed, settings.targets).summary)"
        log.append(EventEntry(now, .program(isProblem: false), summary))
        return (consequences, summary)
    }

    /// Records the refresh of a source, and applies the targets of its new list.
    mutating func record(_ notice: SourceNotice) -> Consequences {
        let before = sourceProblems.updateValue(notice.problem ?? "", forKey: notice.name) ?? ""
        if notice.problem == nil { sourceProblems[notice.name] = nil }
        if let problem = notice.problem, problem != before {
            note("source \(notice.name): \(problem)", isProblem: true)
        } else if notice.problem == nil, !before.isEmpty {
            note("source \(notice.name): read again", isProblem: false)
        }
        if let leftOut = notice.leftOut { note("source \(notice.name): \(leftOut)", isProblem: true) }
        guard let settings = notice.settings else { return Consequences() }
        let consequences = change { $0.apply(settings, at: $1) }
        if let changes = notice.changes { note("source \(notice.name): \(changes)", isProblem: false) }
        return consequences
    }

    /// Forgets the problems of sources that the settings no longer have.
    private mutating func keepSources(of settings: Settings) {
        let names = Set(settings.sources.map(\.name))
        sourceProblems = sourceProblems.filter { names.contains($0.key) }
    }

    /// Adds the samples, paths and events from before the start of the program, and notes what was down at its end.
    mutating func restore(_ past: StoredPast) {
        roster.restore(past.samples)
        roster.restorePaths(of: past)
        roster.restore(past.finishedHooks, wall: wall, at: now)
        roster.restore(past.lastSeen, wall: wall, at: now)
        roster.restore(past.levels, wall: wall, at: now)
        roster.restore(acknowledgements: past.acknowledgements, wall: wall, at: now)
        log.prepend(past.events.compactMap { EventEntry($0, in: roster, wall: wall) })
        for state in roster.states {
            guard let text = past.summary(of: state.id, at: wall.start + now) else { continue }
            log.append(EventEntry(now, .target(name: state.target.label), text, targets: [state.id]))
        }
    }

    /// Changes the process that runs the hooks. Returns the message about it, if there are hooks.
    mutating func change(hookOwner owner: HookOwner) -> String? {
        let message = owner.message(after: hookOwner)
        hookOwner = owner
        roster.runsHooks = owner.isThisProcess
        guard let message, hasHooks else { return nil }
        note(message, isProblem: false)
        return message
    }

    /// Whether a target has hooks of the settings.
    var hasHooks: Bool { roster.states.contains { !$0.target.hooks.isEmpty } }

    /// Shows the hook runs that other processes have recorded.
    mutating func restoreHookRuns(_ past: StoredPast) {
        hooks.setRecorded(past.events.enumerated().compactMap { HookEntry($1, number: $0, in: roster, wall: wall) })
    }

    /// Logs an event of the program.
    mutating func note(_ text: String, isProblem: Bool) {
        log.append(EventEntry(now, .program(isProblem: isProblem), text))
    }

    /// Records that a reload was rejected.
    mutating func refuse(_ problems: [String]) {
        refusal = problems
        log.append(
            EventEntry(
                now,
                .program(isProblem: true),
                Settings.refusal(withProblems: problems.count),
                note: problems.first,
                lines: problems
            )
        )
    }

    /// The problem of the sources of targets; nil if all lists could be read.
    var sourceProblem: String? {
        guard let (name, problem) = sourceProblems.min(by: { $0.key < $1.key }) else { return nil }
        let others = sourceProblems.count == 1 ? "" : " (and \(sourceProblems.count - 1) more, press e)"
        return "source \(name): \(problem)\(others)"
    }

    /// Whether a finding is a reply from a target without a pending transition, so that only figures change on the
    /// screen.
    func onlyChangesFigures(_ finding: Finding) -> Bool {
        // What traces find without an event is on no screen but those of paths, which have their own updates.
        if case .path = finding { return true }
        guard case .observation(let observation) = finding, case .reply = observation.outcome else { return false }
        return !roster.isPending(observation.target)
    }
}
