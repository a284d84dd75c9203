import Monitoring

extension Model {
    /// Records what was read about the fleet.
    mutating func receive(_ update: FleetUpdate) -> [Effect] {
        let before = fleet
        for server in fleet.record(update) {
            live.note(server.summary, isProblem: server.problem != nil)
        }
        let edition = roster.edition
        let consequences = live.change { roster, now in roster.record(update, at: now) }
        let effects = forward(consequences)
        let isCountedAlike = fleet.counted == before.counted && fleet.countedHealth == before.countedHealth
        if edition != roster.edition || !isCountedAlike { reconcile() }
        return effects
    }

    /// Requests the rows that are visible now, if they are others than before.
    mutating func fleetEffects() -> [Effect] {
        guard !fleet.servers.isEmpty else { return [] }
        var visible = visibleTargets
        if let viewState = navigation.detailState { visible.insert(viewState.target) }
        let names = visible.compactMap { id -> String? in
            guard let target = roster[id]?.target, !target.question.method.probes else { return nil }
            return target.name
        }
        var effects: [Effect] = []
        if fleet.show(names.sorted()) {
            effects.append(.showFleet(fleet.shown.names, groups: fleet.shown.groups))
        }
        let target = navigation.detailState.flatMap { roster[$0.target]?.target }
        let name = target.flatMap { $0.question.method.probes ? nil : $0.name }
        if fleet.showHistory(of: name), let name { effects.append(.askFleet(name)) }
        return effects
    }

    /// Records what servers say about the past of a target, and shows it.
    mutating func receive(_ history: FleetHistory, of name: String) {
        fleet.record(history, of: name)
        if let position = roster.states.indices.first(where: { roster.states[$0].target.name == name }) {
            let id = roster.states[position].id
            _ = live.change { roster, _ in
                roster.restore(history, of: id)
                return Consequences()
            }
        }
        staleness = max(staleness, .stale)
    }

    /// The problem with a server of the fleet, and the number of further ones; nil without any.
    var fleetBanner: String? {
        let messages = fleet.messages(at: now)
        guard let first = messages.first else { return nil }
        return messages.count == 1 ? first : "\(first) (and \(messages.count - 1) more, press e)"
    }
}
