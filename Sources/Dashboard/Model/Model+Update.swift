import Monitoring
import Screen

extension Model {
    /// Folds an event into the model.
    ///
    /// - Returns: What the outside is to do, in order.
    public mutating func update(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key):
            let effects = press(key)
            settle()
            return effects
        case .resize(let size):
            self.size = size
            staleness = .urgent
            settle()
            return []
        case .background(let background):
            guard themes.note(background) else { return [] }
            look.theme = themes.theme
            staleness = .urgent
            return []
        case .tick(let now, let wall):
            return tick(now, wall)
        case .findings(let findings, let now):
            live.advance(to: now)
            // Before and after: the reply that ends a pending change takes it off the screen.
            let onlyMovedFigures = findings.allSatisfy(live.onlyMovesFigures)
            let consequences = live.change { roster, _ in roster.record(findings) }
            let isMoved = onlyMovedFigures && consequences.events.isEmpty && findings.allSatisfy(live.onlyMovesFigures)
            return passOn(consequences, leaving: isMoved ? .moved : .stale)
        case .hook(let report, let now):
            live.advance(to: now)
            live.record(report)
            staleness = max(staleness, .stale)
            return []
        case .settings(let settings, let now):
            live.advance(to: now)
            return apply(settings)
        case .settingsRefused(let problems, let now):
            live.advance(to: now)
            live.refuse(problems)
            staleness = .urgent
            settle()
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

    /// Passes consequences on to the outside.
    mutating func passOn(_ consequences: Consequences, leaving least: Staleness = .stale) -> [Effect] {
        staleness = max(staleness, least)
        return consequences == Consequences() ? [] : [.perform(consequences)]
    }

    private mutating func tick(_ now: Duration, _ wall: WallTime) -> [Effect] {
        let isNextSecond = live.advance(to: now, wall: wall)
        if let status, status.until <= self.now {
            self.status = nil
            staleness = max(staleness, .stale)
        }
        // The clock and the ages are shown in whole seconds; on a frozen screen they stand still.
        if frozen == nil, isNextSecond { staleness = max(staleness, .stale) }
        let expired = live.change { $0.expire(at: $1) }
        let effects = expired == Consequences() ? [] : passOn(expired)
        if staleness >= .stale { settle() }
        return effects
    }

    private mutating func apply(_ settings: Settings) -> [Effect] {
        themes.apply(settings.theme)
        look.theme = themes.theme
        let (consequences, summary) = live.apply(settings)
        if let summary { say(summary) }
        staleness = .urgent
        settle()
        return [.limitHooks(settings.maxHooks)] + passOn(consequences)
    }

    /// Says in the footer what just happened.
    mutating func say(_ text: String) {
        status = Status(text: text, until: now + .seconds(4))
        staleness = .urgent
    }

    /// Filters and sorts the rows again where needed, and keeps selections and scroll positions valid.
    mutating func settle() {
        list.update(with: shownRoster, at: now, folding: navigation.overview == .table)
        settleHelp()
        settleHooks()
        settleDetail()
        selection.settle(
            on: rows,
            substitute: foldedHead,
            hasHeads: navigation.overview == .table,
            height: max(1, areas.list.rows)
        )
        if !rows.isEmpty { settleGraphs() }
    }

    /// The head of the folded group that hides the selected target.
    private var foldedHead: Int? {
        guard case .target(let id) = selection.id, let target = roster[id]?.target else { return nil }
        return list.foldedHead(of: target)
    }
}
