import Monitoring
import Screen

extension Model {
    /// Folds an event into the model.
    ///
    /// - Returns: What the outside is to do, in order.
    public mutating func update(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key):
            let effects = take(key)
            settle()
            return effects
        case .resize(let size):
            self.size = size
            staleness = .urgent
            settle()
            return []
        case .background(let background):
            guard background != self.background else { return [] }
            self.background = background
            look.theme = theme
            staleness = .urgent
            return []
        case .tick(let now, let wall):
            return tick(now, wall)
        case .findings(let findings, let now):
            self.now = max(self.now, now)
            // Before and after: the reply that ends a pending change takes it off the screen.
            let onlyMovedFigures = findings.allSatisfy(onlyMovesFigures)
            let consequences = roster.record(findings)
            let isMoved = onlyMovedFigures && consequences.events.isEmpty && findings.allSatisfy(onlyMovesFigures)
            return perform(consequences, leaving: isMoved ? .moved : .stale)
        case .hook(let report, let now):
            self.now = max(self.now, now)
            record(report)
            return []
        case .settings(let settings, let now):
            self.now = max(self.now, now)
            return take(settings)
        case .settingsRefused(let problems, let now):
            self.now = max(self.now, now)
            refuse(problems)
            return []
        case .notice(let text):
            say(text)
            return []
        case .resumed:
            staleness = .urgent
            return [.retake, .repaint]
        case .reload:
            return [.reload]
        case .suspend:
            return [.suspend]
        case .exit(let cause):
            return [.exit(cause)]
        }
    }

    /// Logs consequences and passes them on to the outside.
    mutating func perform(_ consequences: Consequences, leaving least: Staleness = .stale) -> [Effect] {
        staleness = max(staleness, least)
        for event in consequences.events {
            if let entry = LogEntry(event, in: roster, at: now) { log.append(entry) }
            note(event)
        }
        for run in consequences.runs { hooks.append(run) }
        return consequences == Consequences() ? [] : [.perform(consequences)]
    }

    /// Keeps what was given up before there was a run of it.
    private mutating func note(_ event: RosterEvent) {
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

    private mutating func tick(_ now: Duration, _ wall: WallTime) -> [Effect] {
        // The clock and the ages are shown in whole seconds: between them a tick changes nothing that is seen.
        let second = { (model: Model) in (model.wall.start + model.now).components.seconds }
        let before = second(self)
        self.now = max(self.now, now)
        self.wall = wall
        if let status, status.until <= self.now {
            self.status = nil
            staleness = max(staleness, .stale)
        }
        // A frozen screen has no clock that goes.
        if frozen == nil, second(self) != before { staleness = max(staleness, .stale) }
        let expired = roster.expire(at: self.now)
        let effects = expired == Consequences() ? [] : perform(expired)
        if staleness >= .stale { settle() }
        return effects
    }

    private mutating func record(_ report: HookReport) {
        staleness = max(staleness, .stale)
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

    private mutating func take(_ settings: Settings) -> [Effect] {
        let before = roster.targets
        let isFirst = before.isEmpty && log.entries.isEmpty
        refusal = []
        settingsTheme = settings.theme
        look.theme = theme
        let effects = perform(roster.apply(settings, at: now))
        if !isFirst {
            let text = "settings read again: \(Self.difference(before, settings.targets))"
            log.append(LogEntry(now, .program(isTrouble: false), text))
            say(text)
        }
        staleness = .urgent
        settle()
        return [.limitHooks(settings.maxHooks)] + effects
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

    private mutating func refuse(_ problems: [String]) {
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
        staleness = .urgent
        settle()
    }

    /// Says in the footer what just happened.
    mutating func say(_ text: String) {
        status = Status(text: text, until: now + .seconds(4))
        staleness = .urgent
    }

    /// Keeps the selection on a row that exists, and on the screen.
    mutating func settle() {
        arrange()
        settleHelp()
        settleHooks()
        settleDetail()
        let rows = rows
        guard !rows.isEmpty else {
            selection = nil
            scroll = 0
            return
        }
        var index =
            index(of: selection) ?? foldedHead(of: rows)
            ?? (selection == nil ? Self.firstTarget(of: rows) : min(selectionIndex, rows.count - 1))
        // Only the table has heads to select; each is followed by its first target.
        if overview != .table, case .group = rows[index] { index += 1 }
        selectionIndex = index
        selection = rows[index].id
        let height = max(1, areas.list.rows)
        scroll = min(scroll, index, max(0, rows.count - height))
        if index >= scroll + height { scroll = index - height + 1 }
        settleGraphs()
        // The head of the first group is worth a line when its first target is selected.
        if scroll == 1, index < height { scroll = 0 }
    }

    /// The head of the folded group that hides the selected target, which the wall or the graphs have shown.
    private func foldedHead(of rows: [Row]) -> Int? {
        guard case .target(let id) = selection, let target = roster[id]?.target, folded.contains(target.group)
        else { return nil }
        return rows.firstIndex { $0.id == .group(target.group) }
    }

    /// Whether a finding is a reply of a target without a pending change of health: on the screen, only figures move.
    private func onlyMovesFigures(_ finding: Finding) -> Bool {
        guard case .observation(let observation) = finding, case .reply = observation.outcome else { return false }
        return !roster.isPending(observation.target)
    }

    private static func firstTarget(of rows: [Row]) -> Int {
        rows.firstIndex { row in
            if case .target = row { true } else { false }
        } ?? 0
    }
}
