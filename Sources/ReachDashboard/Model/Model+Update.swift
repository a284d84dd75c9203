import ReachMonitoring
public import ReachScreen

extension Model {
    /// Folds an event into the model.
    ///
    /// - Returns: The effects to perform, in order, and the keys of the event after the first one with effects. The caller
    ///   performs the effects before it folds these keys.
    public mutating func update(_ event: Event) -> (effects: [Effect], rest: [Key]) {
        live.advance(to: event.time)
        var rest: [Key] = []
        var effects = fold(event.kind, rest: &rest)
        switch event.kind {
        // Other events that change the view are followed by a tick within a second.
        case .keys, .tick, .history: effects += readHistory()
        default: break
        }
        return (effects + fleetEffects() + pathEffects(), rest)
    }

    private mutating func fold(_ event: Event.Kind, rest: inout [Key]) -> [Effect] {
        switch event {
        case .keys(let keys):
            return press(keys, rest: &rest)
        case .resize(let size):
            self.size = size
            staleness = .urgent
            reconcile()
        case .background(let background):
            guard themes.update(background) else { return [] }
            appearance.theme = themes.theme
            staleness = .urgent
        case .tick(let wall):
            return tick(wall)
        case .findings(let findings):
            return record(findings)
        case .fleet(let update):
            return receive(update)
        case .fleetHistory(let history, let name):
            receive(history, of: name)
        case .silenced(let report):
            return receive(report)
        case .hook(let report):
            live.record(report)
            staleness = max(staleness, .stale)
        case .settings(let settings):
            return apply(settings)
        case .settingsRefused(let problems):
            live.refuse(problems)
            staleness = .urgent
            reconcile()
        case .source(let notice):
            return receive(notice)
        case .edited(let result):
            return receive(result)
        case .fileChanged:
            return rereadChangedFile()
        case .notice(let text):
            showStatus(text)
        case .message(let text, let isProblem):
            live.note(text, isProblem: isProblem)
            showStatus(text)
        case .past(let past):
            live.restore(past)
            staleness = .urgent
            reconcile()
        case .recalled(let lines):
            prompts.recall(lines)
        case .hookOwner(let owner):
            return change(hookOwner: owner)
        case .history(let answer, let zone):
            staleness = max(staleness, history.isAwaited ? .urgent : .stale)
            history.receive(completed(answer), zone: zone, at: now)
            if case .hookRuns(let past) = answer { live.restoreHookRuns(past) }
            receiveMoment(answer)
            reconcile()
        case .paths(let snapshots, let isComplete):
            receive(snapshots, isComplete: isComplete)
        case .hint(let text):
            hint = text
            staleness = max(staleness, .stale)
        case .resumed:
            staleness = .urgent
            return [.restoreTerminal, .repaint]
        case .reload:
            return reload()
        case .suspend:
            return [.suspend]
        case .exit(let cause):
            return [.exit(cause)]
        }
        return []
    }

    private mutating func record(_ findings: [Finding]) -> [Effect] {
        var visible: [Target.ID: Sample?] = [:]
        for case .observation(let observation) in findings where isVisible(observation.target) {
            // The wall shows no figures that could be highlighted.
            guard damage.refresh == .live, navigation.view != .wall else {
                damage.targets.insert(observation.target)
                continue
            }
            visible[observation.target] = roster.lastSample(of: observation.target)
        }
        damage.targets.formUnion(visible.keys)
        // Checked before and after, since a reply that ends a pending transition removes it from the screen.
        let wereOnlyFigures = findings.allSatisfy(live.onlyChangesFigures)
        let consequences = live.change { roster, _ in roster.record(findings) }
        let onlyFigures =
            wereOnlyFigures && consequences.events.isEmpty && findings.allSatisfy(live.onlyChangesFigures)
        for (id, old) in visible {
            highlights.compare(old, of: id, in: roster, at: now)
        }
        return forward(consequences, staleness: !onlyFigures ? .stale : damage.targets.isEmpty ? .fresh : .moved)
    }

    /// Returns consequences as effects, and raises the staleness to at least `minimum`.
    mutating func forward(_ consequences: Consequences, staleness minimum: Staleness = .stale) -> [Effect] {
        staleness = max(staleness, minimum)
        alerts.record(consequences.events, at: now)
        if damage.refresh == .live, frozen == nil { highlights.record(consequences.events, in: roster, at: now) }
        return consequences == Consequences() ? [] : [.perform(consequences)]
    }

    private mutating func tick(_ wall: WallTime) -> [Effect] {
        let isNextSecond = live.setWall(wall)
        if let status, status.until <= self.now {
            self.status = nil
            staleness = max(staleness, .stale)
        }
        // The clock and the ages are shown in whole seconds. A frozen screen does not update them.
        if frozen == nil, isNextSecond {
            highlights.removeEnded(at: self.now)
            staleness = max(staleness, .stale)
        }
        damage.advanceCharts(at: self.now)
        let expired = live.change { $0.expire(at: $1) }
        let maintained = live.updateMaintenance()
        let effects = [expired, maintained].filter { $0 != Consequences() }.flatMap { forward($0) }
        live.updateSideReport()
        if staleness >= .stale { reconcile() }
        return effects + alertEffects()
    }

    /// Applies settings.
    ///
    /// - Parameter edit: the description of the edit that they result from; nil if they were read again.
    mutating func apply(_ settings: Settings, edit: String? = nil) -> [Effect] {
        damage.refresh = settings.refresh
        if settings.refresh == .eco { highlights.removeAll() }
        themes.apply(settings)
        alerts.apply(settings.alerts)
        fleet.alertmanager = settings.alertmanager
        appearance.theme = themes.theme
        if settings.targets != roster.targets {
            hint = nil
            history.removeAll()
        }
        let (consequences, summary) = live.apply(settings, edit: edit)
        if let summary { showStatus(summary) }
        columns.apply(settings.columns)
        staleness = .urgent
        reconcile()
        // Before the first findings of new targets, whose hooks may have to wait.
        let maintained = live.updateMaintenance()
        return [.refresh(settings.refresh)] + forward(consequences) + forward(maintained)
    }

    /// Records the refresh of a source, and applies the targets of its new list. The user's choices, such as the columns,
    /// stay.
    private mutating func receive(_ notice: SourceNotice) -> [Effect] {
        let consequences = live.record(notice)
        staleness = .urgent
        reconcile()
        return forward(consequences)
    }

    /// Shows a message in the footer for a few seconds.
    mutating func showStatus(_ text: String) {
        status = Status(text: text, until: now + .seconds(4))
        staleness = .urgent
    }

    /// Updates the rows if necessary, and keeps selections and scroll positions valid.
    mutating func reconcile() {
        frozen?.rewind()
        updateRows()
        reconcileHelp()
        reconcileHooks()
        reconcileDetail()
        reconcileEvents()
        reconcilePath()
        reconcileComparison()
        selection.reconcile(
            with: rows,
            substitute: foldedHeading,
            hasHeadings: navigation.hasHeadings,
            height: listHeight
        )
        if !rows.isEmpty {
            reconcileGraphs()
            reconcileStrips()
        }
        reconcilePathTree()
        if navigation.view == .table { reconcileHealthWidth() }
        if navigation.view == .wall { wallState.update(with: shownRoster.states.targetSummaries) }
        updateVisibleTargets()
    }

    /// Filters and sorts the targets again if necessary.
    mutating func updateRows() {
        let model = self
        list.update(
            with: shownRoster,
            history,
            at: shown.now,
            cursor: shownTime,
            folding: navigation.overview == .table,
            counted: frozen == nil ? Set(fleet.counted.keys) : [],
            strips: navigation.overview == .strips ? (strips.span, { model.stripAvailability }) : nil
        )
    }

    /// The availability of all targets over the time that the strips show. Where the past of a target was not read, it is that
    /// of the last answer with availability, or else of this run.
    private var stripAvailability: [Target.ID: Double] {
        let (context, span) = (ViewContext(self), strips.span)
        let (ids, end) = (shownRoster.states.map(\.id), context.wallNow)
        let column = TableColumn.availabilityColumns.first { $0.period == span }
        let spans = context.spans(of: ids)
        return ids.reduce(into: [:]) { shares, id in
            let stored = history.past(of: id) == nil ? column.flatMap { history.availability[id]?[$0] } : nil
            shares[id] = stored ?? Availability(spans[id] ?? [], from: end - span, until: end).availability
        }
    }

    /// Fits the column of the health to the longest text of the visible rows.
    private mutating func reconcileHealthWidth() {
        let context = ViewContext(self)
        let visible = rows.dropFirst(selection.scroll).prefix(areas.list.rows)
        let widths = visible.lazy.map { row in
            guard case .target(_, let position) = row else { return 0 }
            return TableRow.healthWidth(of: context.roster.states[position], in: context)
        }
        list.recordHealth(width: widths.max() ?? 0, at: live.now)
    }

    /// The heading of the folded group that hides the selected target.
    private var foldedHeading: Int? {
        guard case .target(let id) = selection.id, let target = roster[id]?.target else { return nil }
        return list.foldedHeading(of: target)
    }
}
