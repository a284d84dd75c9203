import DequeModule

/// The paths to destinations of one network.
struct PathNetwork: Sendable {
    /// The most traces of one kind at a time. They wait for each other at the routers that they share, and others would
    /// wait for them.
    private static let most = 4

    /// Where the paths to targets that are down end, as their own probes found.
    struct Outage: Sendable {
        let method: PathMethod
        /// The addresses of the hops until the last one that answers; nil where one does not.
        private(set) var hops: [String?]
        let time: Duration
        /// The number of targets whose paths ended so one after the other.
        private var count = 1

        init(method: PathMethod, hops: [String?], time: Duration) {
            (self.method, self.hops, self.time) = (method, hops, time)
        }

        private func isRecent(at time: Duration) -> Bool { time - self.time <= .seconds(10) }

        /// Whether this says where a path ends that is traced at `time`: several targets agree, a moment ago.
        func isNew(at time: Duration) -> Bool { count >= 3 && isRecent(at: time) }

        /// Takes the outage of another target before this one into account.
        func following(_ last: Outage?) -> Outage {
            guard let last, last.isRecent(at: time), last.method == method, last.hops.count == hops.count,
                last.hops.last == hops.last
            else { return self }
            var both = self
            both.count += last.count
            both.hops = zip(hops, last.hops).map { $0 ?? $1 }
            return both
        }
    }

    /// The path that was traced last; nil if none reached its destination.
    var neighbour: Int?
    /// The newest outage; nil without one.
    var outage: Outage?
    /// The first traces. Before one is done, there is only one.
    private var first = Turns(limit: 1)
    /// The traces of targets that are down and whose path is not known.
    private var outages = Turns(limit: most)

    var isUnused: Bool { neighbour == nil && outage == nil && first.isEmpty && outages.isEmpty }

    /// Starts the first trace of a path, or lets the path wait. Returns whether it may start.
    mutating func startFirst(_ slot: Int) -> Bool { first.start(slot) }

    /// Starts the trace of a target that is down, or lets it wait. Returns whether it may start.
    mutating func startOutage(_ slot: Int, at time: Duration) -> Bool {
        outages.limit = outageLimit(at: time)
        return outages.start(slot)
    }

    /// Ends a trace.
    mutating func end(_ slot: Int) {
        if first.end(slot) { first.limit = Self.most }
        outages.end(slot)
    }

    /// Returns the paths that may have their first trace now.
    mutating func nextFirst() -> [Int] { first.next() }

    /// Returns the targets that are down and may be traced now.
    mutating func nextOutages(at time: Duration) -> [Int] {
        outages.limit = outageLimit(at: time)
        return outages.next()
    }

    /// All at once, if they can share where another one ends.
    private func outageLimit(at time: Duration) -> Int { outage?.isNew(at: time) == true ? .max : Self.most }

    mutating func remove(_ slot: Int) {
        if neighbour == slot { neighbour = nil }
        first.remove(slot)
        outages.remove(slot)
    }
}

/// Traces of which a limited number runs at a time, by the slots of their paths.
private struct Turns: Sendable {
    var limit: Int
    private var running: Set<Int> = []
    private var waiting = Deque<Int>()

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

    /// Starts a trace, or lets it wait. Returns whether it may start.
    mutating func start(_ slot: Int) -> Bool {
        guard running.count < limit else {
            if !waiting.contains(slot) { waiting.append(slot) }
            return false
        }
        running.insert(slot)
        return true
    }

    /// Ends a trace. Returns whether it was running.
    @discardableResult mutating func end(_ slot: Int) -> Bool { running.remove(slot) != nil }

    /// Returns the waiting ones that may start now.
    mutating func next() -> [Int] {
        (0..<min(waiting.count, max(0, limit - running.count))).compactMap { _ in waiting.popFirst() }
    }

    mutating func remove(_ slot: Int) {
        running.remove(slot)
        waiting.removeAll { $0 == slot }
    }
}

extension PathDestination {
    /// The network that is likely to be reached by the same hops.
    var network: String { address.subnet ?? address }
}
