import ReachMonitoring
import ReachScreen

extension Model {
    /// Performs an action in the table.
    mutating func performInTable(_ action: Action) -> [Effect] {
        switch action {
        case .up, .down, .pageUp, .pageDown, .first, .last:
            move(action)
        case .fold, .unfold:
            fold(action == .fold)
        case .togglePause:
            return togglePause(selectedTargets)
        case .filter:
            prompts.openFilterPrompt(text: list.filter.text)
        case .chooseColumns:
            openColumns()
        case .nextSort:
            list.sortByNext(of: columns.shown)
            showSorted()
        case .reverseSort:
            list.reverse()
            showSorted()
        case .probeNow:
            return probeNow()
        case .reset:
            let targets = selectedTargets
            guard targets.count > 1 else {
                resetStatistics(of: targets)
                return []
            }
            let text = "reset the statistics of \(targets.count) targets?"
            prompts.ask(Confirmation(subject: .resetStatistics(targets.map(\.id)), text: text))
        case .nextFailing:
            selectFailing(forward: true)
        case .previousFailing:
            selectFailing(forward: false)
        case .toggleEvents:
            navigation.open(.events(EventsViewState()))
        case .toggleHooks:
            openHooks(ofSelected: false)
        case .targetHooks:
            openHooks(ofSelected: true)
        case .acknowledge:
            openReasonPrompt()
        case .arm:
            openCommandPrompt()
        case .testHooks:
            return askToTestHooks()
        case .add:
            openTargetPrompt()
        case .edit:
            return openForm()
        case .remove:
            askToRemove()
        case .open:
            openSelected()
        case .path:
            togglePath()
        case .copy:
            return copyRow()
        case .mark:
            toggleMark()
        case .compare:
            compare()
        case .lengthenSpan, .shortenSpan:
            // Of the chart below the table, and of the graphs.
            if navigation.view == .table, !areas.chart.isEmpty { changeGraphSpan(isLonger: action == .lengthenSpan) }
        case .table, .wall, .graphs, .strips, .vantagePoints, .paths, .nextView, .nextForm, .freeze,
            .previousEvent, .nextEvent, .jumpBack, .jumpForward, .togglePauseAll, .palette, .toggleMouse, .toggleAlerts,
            .savePicture, .saveIncident, .reload,
            .repaint, .suspend, .help,
            .undo, .write, .back, .quit, .quitAtOnce:
            break
        }
        return []
    }

    /// The targets that an action applies to: those of the selected row, or the one of the detail view.
    var selectedTargets: [TargetState] {
        if case .events = navigation.view { return selectedEventTargets }
        if let target = navigation.openTarget { return roster[target].map { [$0] } ?? [] }
        if navigation.overview == .paths { return selectedPathTargets }
        guard let index = selection.index(in: rows) else { return [] }
        // The shown roster may be frozen; actions apply to the live one.
        return list.targets(of: rows[index], in: shownRoster).compactMap { roster[$0] }
    }

    /// Forgets the figures of targets so far.
    mutating func resetStatistics(of targets: [TargetState]) {
        live.reset(targets.map(\.id))
        history.reset(targets.map(\.id))
        showStatus("reset the statistics of \(Self.name(of: targets))")
    }

    /// Shows the top of the rows in their new order, and the name of that.
    mutating func showSorted() {
        showStatus(list.sortSummary)
        updateRows()
        if navigation.hasHeadings { selection.showTop(of: rows, height: listHeight) }
    }

    private mutating func move(_ action: Action) {
        let rows = rows
        guard !rows.isEmpty else { return }
        let index = moved(selection.index, by: action, count: rows.count, page: listHeight - 1)
        selection.select(index, of: rows)
    }

    /// Folds or unfolds the group of the selected row. Folding selects its heading, so that one key unfolds it again.
    private mutating func fold(_ isFolding: Bool) {
        let group: String?
        guard let index = selection.index(in: rows) else { return }
        switch rows[index] {
        case .group(let name, _, _): group = name
        case .target(_, let position): group = shownRoster.states[position].target.group
        }
        let hasHeading = rows.contains { $0.id == .group(group) }
        guard hasHeading else { return }
        if isFolding { fleet.close(group) } else if fleet.open(group) { showStatus("reading \(group ?? "other")") }
        list.setFolded(isFolding, group)
        if isFolding { selection.select(.group(group)) }
    }

    /// Folds or unfolds a group. One with targets that are only counted is read as a whole first.
    mutating func toggleFolded(_ group: String?) {
        if fleet.open(group) {
            list.setFolded(false, group)
            showStatus("reading \(group ?? "other")")
        } else {
            list.toggleFolded(group)
        }
    }

    /// Pauses the targets, or resumes them if all of them are paused.
    private mutating func togglePause(_ targets: [TargetState]) -> [Effect] {
        setPaused(targets.contains { !$0.isPaused }, targets)
    }

    /// Pauses or resumes targets.
    mutating func setPaused(_ isPausing: Bool, _ targets: some Collection<TargetState>) -> [Effect] {
        let changed = targets.filter { $0.isPaused != isPausing }
        guard !changed.isEmpty else { return [] }
        let ids = changed.map(\.id)
        let verb = isPausing ? "paused" : "resumed"
        let name = Self.name(of: changed)
        let entry =
            changed.count == 1
            ? EventEntry(now, .target(name: name), verb, targets: ids)
            : EventEntry(now, .program(isProblem: false), "\(verb) \(name)", targets: ids)
        showStatus("\(verb) \(name)")
        return forward(live.change(logging: entry) { isPausing ? $0.pause(ids, at: $1) : $0.resume(ids, at: $1) })
    }

    private mutating func probeNow() -> [Effect] {
        let targets = selectedTargets.filter { $0.isProbed && $0.target.question.method.probes }
        guard !targets.isEmpty else {
            let areRead = !selectedTargets.isEmpty && selectedTargets.allSatisfy { !$0.target.question.method.probes }
            if areRead { showStatus("not probed from here: other programs probe it") }
            return []
        }
        showStatus("probing \(Self.name(of: targets))")
        var consequences = Consequences()
        consequences.requests = [.now(targets.map(\.id))]
        return [.perform(consequences)]
    }

    private mutating func selectFailing(forward: Bool) {
        let positions = rows.map { row -> Int? in if case .target(_, let position) = row { position } else { nil } }
        guard let next = failing(from: selection.index, forward: forward, among: positions) else { return }
        selection.select(rows[next].id)
    }

    /// Returns the index of the next or previous target with an unexpected failure, around the end of the list; nil with a
    /// message if there is none.
    ///
    /// - Parameter positions: the positions of the targets in the target states; nil for a row that is not a target.
    mutating func failing(from index: Int, forward: Bool, among positions: [Int?]) -> Int? {
        let summaries = shownRoster.states.targetSummaries
        let failing = positions.indices.filter { index in
            guard let position = positions[index], !summaries[position].isPausedOrBlocked else { return false }
            return summaries[position].health.isFailure && !summaries[position].isFailureExpected
        }
        if failing.isEmpty {
            let isAcknowledged = positions.contains { $0.map { summaries[$0].isAcknowledged } ?? false }
            let isExpected = positions.contains { position in
                guard let position else { return false }
                return summaries[position].isInMaintenance && summaries[position].health.isFailure
            }
            let others = isExpected ? "only targets in maintenance are failing" : "nothing is failing"
            showStatus(isAcknowledged ? "only acknowledged targets are failing" : others)
        }
        return forward
            ? failing.first { $0 > index } ?? failing.first
            : failing.last { $0 < index } ?? failing.last
    }

    static func name(of targets: some Collection<TargetState>) -> String {
        if targets.count == 1, let only = targets.first { return only.target.label }
        return "\(targets.count) targets"
    }
}

extension Model {
    /// Copies the selected row to the clipboard; for a group, the rows of its targets. Terminals do not report whether
    /// they allow it.
    mutating func copyRow() -> [Effect] {
        let targets = selectedTargets
        guard !targets.isEmpty else { return [] }
        let what = targets.count == 1 ? "the row" : "the rows"
        showStatus("copied \(what) of \(Self.name(of: targets)), if the terminal allows it")
        let context = ViewContext(self)
        let rows = targets.map { Self.copyText(of: context.roster[$0.id] ?? $0, in: context) }
        return [.copy(rows.joined(separator: "\n"))]
    }

    /// The row as text, with the column heading before each figure that needs one.
    private static func copyText(of state: TargetState, in context: ViewContext) -> String {
        let row = TableRow(state: state, context: context, methodWidth: 0)
        let health = row.segments(of: .health, width: 200).map(\.text).joined()
        var parts = [state.target.label, state.target.question.url, health]
        if !state.isPausedOrBlocked {
            let statistics = state.statistics
            if let last = statistics.last { parts.append("last \(last.roundTripText)") }
            if let percentile = statistics.percentile(95) { parts.append("p95 \(percentile.roundTripText)") }
            if let loss = statistics.loss { parts.append("loss \(loss.percentText)") }
        }
        return (parts + ["for \((context.now - state.since).spanText)"]).joined(separator: "  ")
    }
}
