import Monitoring

extension Model {
    /// The offsets of local time, as far as they are known.
    var zone: ZoneOffsets { history.zone ?? wall.zone }

    /// The wall time at which strips end, since 1970: the whole second that the clock on the screen shows.
    var wallNow: Duration { .seconds((wall.start + now).components.seconds) }

    /// The past of targets: what was stored, and what this run of the program knows.
    func spans(of ids: [Target.ID]) -> [Target.ID: [WatchedSpan]] {
        let present = roster.spans(of: ids, until: now, wall: wall)
        var spans: [Target.ID: [WatchedSpan]] = [:]
        for id in ids {
            spans[id] = WatchedSpan.joined(history.past(of: id)?.spans ?? [], with: present[id] ?? [])
        }
        return spans
    }

    /// Returns the requests for what the present view shows of the history.
    mutating func readHistory() -> [Effect] {
        var needs = HistoryCache.Needs()
        switch navigation.view {
        case .strips:
            let view = StripsView(model: shown)
            needs.strips = view.visible.map { assignment(at: $0) }
            needs.nearbyStrips = view.nearby.map { assignment(at: $0) }
        case .detail(let viewState):
            needs.detail = shownRoster.position(of: viewState.target).map { assignment(at: $0) }
        case .table: needs.hasColumns = list.sort.column != nil || columns.shown.contains { $0.period != nil }
        case .hooks where live.hookOwner?.isThisProcess == false: needs.hookRuns = hookAssignments
        case .wall, .graphs, .vantagePoints, .events, .hooks: break
        }
        let (states, now) = (shownRoster.states, live.now)
        needs.ranWhile = live.coverage.ranges(until: live.wall.start + now)
        let requests = history.requests(for: needs, at: now) {
            states.map { ProbeRequest.Assignment(id: $0.id, target: $0.sharedTarget) }
        }
        return requests.map(Effect.readHistory)
    }

    /// Adds the probes of the minute of the start that were before it: what the history has of that minute includes those
    /// of this run.
    func completed(_ answer: HistoryAnswer) -> HistoryAnswer {
        guard case .figures(let id, var past) = answer, let samples = live.roster[id]?.history else { return answer }
        let minute = Duration.seconds(60)
        // By the clock of the start: what the history has was written by it.
        let start = Duration.zero - .nanoseconds(live.coverage.programStart.nanoseconds % minute.nanoseconds)
        var sum = FigureSum()
        if let figures = past.figures { sum.add(figures) }
        sum.add(ProbeFigures(samples[samples.since(start).startIndex..<samples.since(.zero).startIndex]))
        past.figures = sum.figures
        return .figures(id, past)
    }

    private func assignment(at position: Int) -> ProbeRequest.Assignment {
        let state = shownRoster.states[position]
        return ProbeRequest.Assignment(id: state.id, target: state.sharedTarget)
    }
}
