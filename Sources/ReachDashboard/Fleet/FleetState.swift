import ReachMonitoring

/// What is known about the servers that the fleet is read from, and which of its groups are shown as a whole.
struct FleetState: Sendable {
    /// The servers; empty without a fleet.
    private(set) var servers: [FleetServer] = []
    /// The Alertmanager that gets silences; nil if there is none.
    var alertmanager: AlertmanagerSettings?
    /// The number of targets in each group that are counted and not listed.
    private(set) var counted: [String: Int] = [:]
    /// The health of counted targets: up, since failing ones are listed; unknown if not all failing ones are.
    private(set) var countedHealth = Health.up
    /// The groups that the user has opened.
    private(set) var opened: Set<String> = []
    /// The past of the target of the detail view, once it is known.
    private(set) var history: (name: String, value: FleetHistory?)?
    /// What was requested last.
    private(set) var shown = Shown()

    /// What the reader of the fleet needs to know.
    struct Shown: Sendable, Hashable {
        /// The names of the visible targets.
        var names: [String] = []
        var groups: Set<String> = []
    }

    /// The number of all counted targets.
    var countedTotal: Int { counted.values.reduce(0, +) }

    /// The number of counted targets that are up, and of unknown health.
    var countedUp: Int { countedHealth == .up ? countedTotal : 0 }
    var countedUnknown: Int { countedTotal - countedUp }

    /// Records an update.
    ///
    /// - Returns: the servers whose problem has begun, ended or changed its kind.
    mutating func record(_ update: FleetUpdate) -> [FleetServer] {
        let before = Dictionary(servers.map { ($0.name, $0.problem) }) { first, _ in first }
        servers = update.servers
        (counted, countedHealth) = (update.counted, update.countedHealth)
        return servers.filter { server in (before[server.name] ?? nil) != server.problem }
    }

    /// Opens a group with counted targets.
    ///
    /// - Returns: whether there are any.
    mutating func open(_ group: String?) -> Bool {
        counted[group ?? ""] != nil && opened.insert(group ?? "").inserted
    }

    mutating func close(_ group: String?) {
        opened.remove(group ?? "")
    }

    /// Sets what is shown.
    ///
    /// - Returns: whether it is new.
    mutating func show(_ names: [String]) -> Bool {
        let new = Shown(names: names, groups: opened)
        guard new != shown, !servers.isEmpty else { return false }
        shown = new
        return true
    }

    /// Sets the target of the detail view; nil if that is not open.
    ///
    /// - Returns: whether its past is to be read.
    mutating func showHistory(of name: String?) -> Bool {
        guard history?.name != name else { return false }
        history = name.map { ($0, nil) }
        return name != nil
    }

    /// Records the past of a target.
    mutating func record(_ history: FleetHistory, of name: String) {
        if self.history?.name == name { self.history = (name, history) }
    }

    /// The messages about the servers, the problems first.
    func messages(at now: Duration) -> [String] {
        let sorted = servers.filter { $0.problem != nil } + servers.filter { $0.problem == nil }
        return sorted.compactMap { $0.message(at: now) }
    }

    /// The problem with a server, and the number of further ones; nil without any.
    func banner(at now: Duration) -> String? {
        let messages = messages(at: now)
        guard let first = messages.first else { return nil }
        return messages.count == 1 ? first : "\(first) (and \(messages.count - 1) more, press e)"
    }
}

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

    /// Requests the rows that are visible now, if they differ from the last ones.
    mutating func fleetEffects() -> [Effect] {
        guard !fleet.servers.isEmpty else { return [] }
        var visible = damage.visibleTargets
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
        if fleet.showHistory(of: name), let name { effects.append(.readFleetHistory(of: name)) }
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
}
