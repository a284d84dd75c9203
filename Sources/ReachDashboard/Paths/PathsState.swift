import ReachMonitoring

/// The paths that are known, and the request for them.
struct PathsState: Sendable {
    /// The newest snapshots.
    private(set) var snapshots: [Target.ID: PathSnapshot] = [:]
    /// The number of changes of ``snapshots``.
    private(set) var revision = 0
    /// What the tree needs of the snapshots, once it was computed.
    private var digests: [Target.ID: PathDigest] = [:]
    /// What was requested last.
    private(set) var request = PathRequest.none
    /// The edition of the targets at that time.
    private var edition = 0

    /// Adds snapshots.
    ///
    /// - Parameter isComplete: Whether they are those of all paths, in place of the ones before.
    mutating func receive(_ new: [Target.ID: PathSnapshot], isComplete: Bool) {
        guard request != .none else { return }
        revision += 1
        if isComplete, request == .all {
            snapshots = new
            digests = [:]
            return
        }
        snapshots.merge(new) { $1 }
        for id in new.keys { digests[id] = nil }
    }

    /// Requests paths.
    ///
    /// - Returns: Whether that is a new request, or the targets have changed since the last one.
    mutating func show(_ wanted: PathRequest, edition new: Int) -> Bool {
        guard wanted != request || wanted != .none && new != edition else { return false }
        if wanted == .none { (snapshots, digests) = ([:], [:]) }
        (request, edition) = (wanted, new)
        revision += 1
        return true
    }

    /// The digests of these targets; nil for a path that is not known.
    mutating func digests(of ids: [Target.ID]) -> [PathDigest?] {
        ids.map { id in
            if let known = digests[id] { return known }
            let new = snapshots[id].map { PathDigest($0) }
            digests[id] = new
            return new
        }
    }
}

extension PathSnapshot {
    /// Whether results of probes are known.
    fileprivate var hasResults: Bool { trace.hops().contains { $0.sent > 0 } }

    /// The path as it was known at an earlier time, as far as its results are kept.
    func rewound(to time: Duration, routers: [String?]) -> PathSnapshot {
        guard time < self.time else { return self }
        let trace = trace.rewound(to: time, routers: routers)
        return PathSnapshot(time: time, trace: trace, names: names, systems: systems)
    }
}

extension TargetState {
    /// Whether the path is traced.
    var hasPath: Bool { target.path != nil }

    /// Why there is no path; nil if it is traced.
    var pathAbsence: String? {
        guard target.hasPath else {
            return "no path: \(target.question.method.rawValue) sends no packet to a host on the network"
        }
        guard hasPath else { return "no path: the settings have path = false" }
        return isPaused ? "no path: the target is paused" : nil
    }
}

extension Model {
    /// Adds snapshots of paths. A frozen screen shows those of the time of freezing.
    mutating func receive(_ snapshots: [Target.ID: PathSnapshot], isComplete: Bool) {
        paths.receive(snapshots, isComplete: isComplete)
        guard frozen == nil || frozen?.paths.snapshots.isEmpty == true, navigation.showsPaths else { return }
        staleness = max(staleness, .stale)
        reconcile()
    }

    /// The path to a target that is shown: the present one, or the one at the time cursor.
    func shownPath(to id: Target.ID) -> PathSnapshot? {
        guard let frozen else { return paths.snapshots[id] }
        let newest = frozen.paths.snapshots[id] ?? paths.snapshots[id]
        let routers = frozen.shown.roster[id]?.tracedPath?.hops ?? []
        let past = newest?.rewound(to: frozen.shown.now, routers: routers)
        guard frozen.cursor != nil, past?.hasResults != true else { return past }
        // What a trace found then, with the names that are known now.
        var traced = frozen.shown.roster[id]?.tracedSnapshot
        traced?.names = newest?.names ?? [:]
        traced?.systems = newest?.systems ?? [:]
        return traced
    }

    /// Requests the paths that are shown now, if they differ from the last ones.
    mutating func pathEffects() -> [Effect] {
        let wanted = wantedPaths
        return paths.show(wanted, edition: roster.edition) ? [.showPaths(wanted)] : []
    }

    private var wantedPaths: PathRequest {
        if let viewState = navigation.pathState {
            guard let state = roster[viewState.target], state.pathAbsence == nil else { return .none }
            return .one(viewState.target)
        }
        return navigation.view == .paths ? .all : .none
    }
}
