/// The path to a target as it is known at one time, for the screen.
public struct PathSnapshot: Sendable {
    /// The time since the start of the program.
    public var time: Duration
    /// The hops.
    public var trace: PathTrace
    /// Why the newest probe could not be sent; nil if it was sent.
    public var problem: String?
    /// The names of the hops by address, as far as they are known.
    public var names: [String: String]
    /// The autonomous systems of the hops by address, as far as they are known.
    public var systems: [String: AutonomousSystems.System]

    /// The path as one trace found it, in place of ``trace``, for a time of which no results are kept.
    package var traced: TracedPath?

    /// Where the path ends.
    package var end: PathEnd { traced?.end ?? trace.end() }

    /// Creates a snapshot.
    public init(
        time: Duration,
        trace: PathTrace,
        problem: String? = nil,
        names: [String: String] = [:],
        systems: [String: AutonomousSystems.System] = [:]
    ) {
        (self.time, self.trace, self.problem) = (time, trace, problem)
        (self.names, self.systems) = (names, systems)
    }
}

/// The paths that the screen shows.
public enum PathRequest: Sendable, Hashable {
    /// None.
    case none
    /// The path to one target, which is probed every second meanwhile.
    case one(Target.ID)
    /// The paths to all targets, as they are known.
    case all
}

extension PathTrace {
    /// Returns the trace as it was known at an earlier time, from the kept results of probes that were sent until then.
    ///
    /// - Parameter routers: The hops as the last trace before that time found them. Of a hop that has changed since, they
    ///   tell which of its earlier addresses it had.
    package func rewound(to time: Duration, routers: [String?] = []) -> PathTrace {
        var past = PathTrace(destination: destination, maxHops: maxHops)
        past.mtu = mtu
        let newest = (0..<flowCount).lazy
            .flatMap { hops(flow: $0) }
            .compactMap { hop in hop.history.last { $0.sent <= time }?.sent }
            .max()
        let began = began.roundedDownToTenths
        past.begin(at: began <= time ? began : (newest ?? time) - PathHop.patience)
        if let watchBegan = watchBegan?.roundedDownToTenths, watchBegan <= time { past.watch(at: watchBegan) }
        for flow in 0..<flowCount {
            // Also those behind the destination: the path may have been longer.
            for number in 1...maxHops {
                guard let hop = hop(number, flow: flow) else { break }
                let probe = PathProbe(number: 0, destination: destination, hop: number, flow: flow)
                let router = routers.count >= number ? routers[number - 1] : nil
                past.replay(hop, probe, until: time, earlier: hop.address(at: time, of: router))
            }
        }
        return past
    }

    /// Counts the kept results of a hop until `time`. Only the newest answer is known in full; others are those of the same
    /// router, or of an earlier one.
    private mutating func replay(_ hop: PathHop, _ probe: PathProbe, until time: Duration, earlier: String?) {
        if hop.isShared, probe.flow == 0 {
            share(hop.address, at: probe.hop, confirmed: hop.lastAnswered.map { min($0, time) })
        }
        let results = hop.history.prefix { $0.sent <= time }
        let newest = hop.history.lastIndex { !$0.isLost }
        for (index, result) in zip(results.indices, results) {
            recordSent(probe)
            guard let roundTrip = result.roundTrip, let answer = hop.answer else {
                recordLoss(probe, sent: result.sent)
                continue
            }
            let isNewest = index == newest
            var kind = hop.reportsObstacle && !isNewest ? .exceeded : answer
            if let earlier { kind = earlier == destination.address ? .reached(.reply) : .exceeded }
            let own = isNewest ? hop.source ?? hop.address : hop.address ?? hop.source
            guard let source = earlier ?? own else { continue }
            _ = record(
                PathAnswer(
                    probe: probe.number,
                    source: source,
                    kind: kind,
                    roundTrip: roundTrip,
                    labels: isNewest ? hop.labels : []
                ),
                to: probe,
                sent: result.sent,
                at: result.sent + roundTrip
            )
        }
    }
}

extension PathHop {
    /// The address before a change after `time`: that of a trace of then, or else the one that answered most recently; nil if
    /// the hop has not changed since.
    fileprivate func address(at time: Duration, of traced: String?) -> String? {
        guard let lastChange, lastChange > time else { return nil }
        let earlier = addresses.dropFirst().map(\.address)
        return earlier.first { $0 == traced } ?? earlier.first
    }
}
