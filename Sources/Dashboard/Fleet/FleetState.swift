import Monitoring

/// What is known about the servers that the fleet is read from, and which of its groups are shown as a whole.
struct FleetState: Sendable {
    /// The servers; empty without a fleet.
    private(set) var servers: [FleetServer] = []
    /// The Alertmanager that gets silences; nil if there is none.
    var alertmanager: AlertmanagerSettings?
    /// The number of targets by group that are only counted.
    private(set) var counted: [String: Int] = [:]
    /// The health of these: up, since the failing ones are among the targets, or unknown if not all of those are.
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

    /// The number of all targets that are only counted.
    var countedTotal: Int { counted.values.reduce(0, +) }

    /// The number of those that are up, and of those of unknown health.
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

    /// Opens a group with targets that are only counted.
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
}
