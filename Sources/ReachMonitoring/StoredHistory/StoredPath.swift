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

extension Roster {
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
