/// A path as the history has it: what a trace found, and when.
package struct StoredPath: Sendable, Hashable {
    /// When the trace was done: since 1970 in ``StoredPast``, otherwise since the start of the program.
    package let time: Duration
    package let path: TracedPath

    package init(_ path: TracedPath, at time: Duration) {
        (self.path, self.time) = (path, time)
    }

    /// The path of a stored event; nil for one of another kind, or a damaged one.
    package init?(_ event: HistoryEvent) {
        guard event.kind == .traced, let path = TracedPath(storedAs: event.reason ?? "", event.detail ?? "") else {
            return nil
        }
        self.init(path, at: event.time)
    }
}

/// The result of a trace that differs from the one before, for the history.
package struct TracedTarget: Sendable, Hashable {
    package let target: Target.ID
    package let found: StoredPath
}

extension TracedPath {
    /// Whether the end or a hop is another one than in an earlier trace. A hop that is silent now may be the same router.
    func differs(from earlier: TracedPath?) -> Bool {
        guard let earlier, earlier.end == end, earlier.hops.count == hops.count else { return true }
        return zip(hops, earlier.hops).contains { $0 != nil && $0 != $1 }
    }

    /// The hops, and the details of the end that its kind does not have: `10.0.0.1 *; hop 2, 10.1.0.1, of 5`.
    var storedText: String {
        var details = end.hop.map { ["hop \($0)"] } ?? []
        switch end {
        case .notSent, .nothing: break
        case .reached(_, let address), .reachedElsewhere(_, let address), .refused(_, let address),
            .limited(_, let address):
            details.append(address)
        case .unreachable(let obstacle, _, let address): details += [address, obstacle.rawValue]
        case .loop(_, let addresses): details += addresses
        case .silent(_, let address, let length): details += [address] + (length.map { ["of \($0)"] } ?? [])
        }
        return "\(hopList); \(details.joined(separator: ", "))"
    }

    /// Reads the kind of an end and a ``storedText``; nil for other texts.
    init?(storedAs kind: String, _ text: String) {
        guard let separator = text.firstRange(of: "; ") else { return nil }
        let hops = text[..<separator.lowerBound].split(separator: " ").map { $0 == "*" ? nil : String($0) }
        let details = text[separator.upperBound...].split(separator: ", ").map(String.init)
        let hop = details.first.flatMap { $0.hasPrefix("hop ") ? Int($0.dropFirst(4)) : nil }
        let end: PathEnd
        switch (kind, hop, details.dropFirst().first) {
        case ("nothing", _, _): end = .nothing
        case ("reached", let hop?, let address?): end = .reached(hop: hop, address: address)
        case ("reached_elsewhere", let hop?, let address?): end = .reachedElsewhere(hop: hop, address: address)
        case ("refused", let hop?, let address?): end = .refused(hop: hop, address: address)
        case ("limited", let hop?, let address?): end = .limited(hop: hop, address: address)
        case ("loop", let hop?, _): end = .loop(hop: hop, addresses: Array(details.dropFirst()))
        case ("silent", let hop?, let address?):
            let length = details.dropFirst(2).first.flatMap { $0.hasPrefix("of ") ? Int($0.dropFirst(3)) : nil }
            end = .silent(hop: hop, address: address, length: length)
        case ("unreachable", let hop?, let address?):
            let obstacle = details.dropFirst(2).first.flatMap { PathAnswer.Obstacle(rawValue: $0) }
            end = .unreachable(obstacle ?? .hostUnreachable, hop: hop, address: address)
        default: return nil
        }
        self.init(end: end, hops: hops)
    }
}

/// What the history has of a target's health and path before the start of the program. Times are since that, and negative.
struct StoredState: Sendable {
    /// A health, and when it began.
    struct StoredHealth: Sendable {
        let health: Health
        let time: Duration
        let since: Duration
    }

    /// The paths and the changes of health, oldest first.
    fileprivate(set) var paths: [StoredPath] = []
    private var healths: [StoredHealth] = []
    /// The health before the first change that is known.
    private var first = Health.unknown

    /// The newest path until a time; nil without one.
    func path(at time: Duration) -> StoredPath? { paths.last { $0.time <= time } }

    /// The health at a time, as far as the target was watched then.
    func health(at time: Duration) -> StoredHealth {
        healths.last { $0.time <= time } ?? StoredHealth(health: first, time: time, since: time)
    }

    /// Adds a change of health.
    fileprivate mutating func add(_ transition: HistoryEvent, startingAt start: Duration) {
        if healths.isEmpty { first = transition.from ?? .unknown }
        let time = transition.time - start
        let since = transition.since.map { $0 - start } ?? time
        healths.append(StoredHealth(health: transition.to ?? .unknown, time: time, since: since))
    }

    /// Adds the health at the end of the run before.
    fileprivate mutating func add(_ last: StoredPast.LastSeen) {
        if healths.isEmpty { first = last.health }
    }

    /// Adds paths, oldest first, each with the hops when the path last reached the target before.
    fileprivate mutating func add(_ stored: [StoredPath], startingAt start: Duration) {
        var before: [String?] = []
        for found in stored {
            let path = TracedPath(end: found.path.end, hops: found.path.hops, before: before)
            paths.append(StoredPath(path, at: found.time - start))
            if found.path.end.isReached { before = found.path.hops }
        }
        // Those of another process that writes the history now are later.
        paths.removeAll { $0.time >= .zero }
    }
}

extension Roster {
    /// Adds what is known of health and paths before the start of the program.
    ///
    /// - Parameter wall: the wall time of the program's start.
    package mutating func restoreStates(of past: StoredPast, wall: WallTime) {
        guard timeline != nil else { return }
        var stored: [Target.ID: StoredState] = [:]
        for event in past.events where event.event.kind == .transition {
            if let id = event.target { stored[id, default: StoredState()].add(event.event, startingAt: wall.start) }
        }
        for (id, last) in past.lastSeen { stored[id, default: StoredState()].add(last) }
        for (id, paths) in past.paths { stored[id, default: StoredState()].add(paths, startingAt: wall.start) }
        for (id, state) in stored where positions[id] != nil { timeline?.restore(state, of: id) }
    }

    /// Adds the hops of the paths that reached their targets before the start of the program.
    package mutating func restorePaths(of past: StoredPast) {
        for (id, paths) in past.paths {
            guard let position = positions[id], let reached = paths.last(where: { $0.path.end.isReached }) else {
                continue
            }
            states[position].changePath { $0.restored = reached.path.hops }
            causes?.noteRisks(of: id)
        }
    }

    /// The earliest time before the start of the program of which a sample or a path of a target is known, at most an hour
    /// before it; zero without one.
    ///
    /// - Precondition: The roster keeps its past.
    package func pastStart(of id: Target.ID) -> Duration {
        guard let timeline else { preconditionFailure("the roster keeps its past") }
        let times = [self[id]?.history.first?.time, timeline.stored(of: id)?.paths.first?.time].compactMap(\.self)
        return max(.zero - Self.shownPast, min(.zero, times.min() ?? .zero))
    }

    /// The time before the start of the program that the charts show.
    private static let shownPast = Duration.seconds(3_600)
}

extension TargetState {
    /// The path as a trace found it, without results of probes; nil before the first trace.
    package var tracedSnapshot: PathSnapshot? {
        guard let path, let newest = path.newest, let settings = target.path else { return nil }
        let own = newest.end.isReached ? newest.end.address : path.address
        guard let destination = target.pathDestination(at: own ?? address ?? "", by: settings) else { return nil }
        var snapshot = PathSnapshot(time: path.newestTime, trace: PathTrace(destination: destination))
        snapshot.traced = newest
        return snapshot
    }
}
