import ReachMonitoring

/// What the tree needs of the path to one target: its routers, without the destination.
struct PathDigest: Sendable {
    /// A hop that is not the destination.
    struct Step: Sendable {
        let router: PathTree.Router
        let word: HopWord
        /// The results of probes of this trace; empty for a hop that was shared, nil if none are kept.
        let results: PathHistory?
        /// Whether the hop was probed, or is shared with another path.
        let isProbed: Bool
        /// Whether the path ends before this hop.
        let isBeyondEnd: Bool
        let name: String?
        let system: UInt32?
    }

    let steps: [Step]
    /// The address of the destination.
    let destination: String

    /// Creates the digest of a path at its time.
    init(_ snapshot: PathSnapshot) {
        steps = snapshot.traced.map { Self.steps(of: $0, snapshot) } ?? Self.steps(of: snapshot)
        destination = snapshot.trace.destination.address
    }

    private static func steps(of snapshot: PathSnapshot) -> [Step] {
        let (trace, time) = (snapshot.trace, snapshot.time)
        let (hops, words, end) = (trace.hops(), trace.words(at: time), trace.end())
        let routers = trace.destinationHop().map { hops.prefix($0 - 1) } ?? hops
        let lastHop = end.isReached || end == .notSent ? .max : end.hop ?? 0
        // Hops without an answer after the last router are one.
        let lastAddress = routers.lastIndex { $0.address != nil } ?? -1
        let silentEnd = trace.destinationHop() == nil ? lastAddress + 2 : routers.count
        var steps: [Step] = []
        var passed: Set<String> = []
        for (index, hop) in routers.prefix(silentEnd).enumerated() {
            // Packets pass the routers of a loop again and again; the tree has them once.
            if let address = hop.address, !passed.insert(address).inserted, words[index] == .loop { break }
            let address = hop.address
            steps.append(
                Step(
                    router: address.map(PathTree.Router.address) ?? .silent,
                    word: words[index],
                    results: hop.history,
                    isProbed: hop.absence == nil || hop.isShared,
                    isBeyondEnd: index + 1 > lastHop,
                    name: address.flatMap { snapshot.names[$0] },
                    system: address.flatMap { snapshot.systems[$0]?.number }
                )
            )
        }
        return steps
    }

    /// The routers of a path as a trace found it.
    private static func steps(of traced: TracedPath, _ snapshot: PathSnapshot) -> [Step] {
        var passed: Set<String> = []
        var routers = traced.end.isReached ? traced.hops.dropLast() : traced.hops[...]
        let lastHop = routers.count
        // Hops without an answer after the last router are one.
        if traced.end.isSilence { routers.append(nil) }
        return routers.enumerated().filter { $0.element.map { passed.insert($0).inserted } ?? true }.map {
            index,
            address in
            Step(
                router: address.map(PathTree.Router.address) ?? .silent,
                word: address == nil ? .silent : .ok,
                results: nil,
                isProbed: true,
                isBeyondEnd: index >= lastHop,
                name: address.flatMap { snapshot.names[$0] },
                system: address.flatMap { snapshot.systems[$0]?.number }
            )
        }
    }
}

extension PathEnd {
    /// Whether nothing answers beyond the end.
    fileprivate var isSilence: Bool {
        switch self {
        case .silent, .nothing: true
        case .notSent, .reached, .reachedElsewhere, .refused, .unreachable, .loop, .limited: false
        }
    }
}
