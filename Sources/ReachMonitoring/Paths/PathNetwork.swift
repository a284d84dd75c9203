import DequeModule

/// The paths to destinations of one network.
struct PathNetwork: Sendable {
    /// The most first traces at a time. They wait for each other at the routers that they share, and others would wait
    /// for them.
    private static let most = 4

    /// The path of a target that is down, which its own probes found.
    struct Outage: Sendable {
        /// The addresses of the hops that answer; nil where one does not.
        let hops: [String?]
        let began: Duration
        let time: Duration
    }

    /// The newest outage; nil without one.
    var outage: Outage?
    /// The number of running traces of targets that are down and whose path is not known, and those that wait for them.
    private var outagesRunning = 0
    private var outagesWaiting = Deque<Int>()
    /// The path that was traced last; nil if none reached its destination.
    var neighbour: Int?
    /// The number of running first traces.
    private var running = 0
    /// The paths that wait for their first trace.
    private var waiting = Deque<Int>()
    /// Whether a first trace is done. Before, there is only one.
    private var isExplored = false

    var isUnused: Bool {
        neighbour == nil && outage == nil && running == 0 && waiting.isEmpty && outagesRunning == 0
            && outagesWaiting.isEmpty
    }

    /// Starts the first trace of a path, or lets the path wait. Returns whether it may start.
    mutating func start(_ slot: Int) -> Bool {
        guard running < (isExplored ? Self.most : 1) else {
            waiting.append(slot)
            return false
        }
        running += 1
        return true
    }

    /// Ends a first trace.
    mutating func end() { (running, isExplored) = (running - 1, true) }

    /// Returns the waiting paths that may start now.
    mutating func next() -> [Int] {
        (0..<max(0, (isExplored ? Self.most : 1) - running)).compactMap { _ in waiting.popFirst() }
    }

    /// Starts the trace of a target that is down, or lets it wait. Returns whether it may start.
    mutating func startOutage(_ slot: Int, at time: Duration) -> Bool {
        guard outagesRunning < Self.most || isOutageNew(at: time) else {
            if !outagesWaiting.contains(slot) { outagesWaiting.append(slot) }
            return false
        }
        outagesRunning += 1
        return true
    }

    /// Ends such a trace.
    mutating func endOutage() { outagesRunning -= 1 }

    /// Returns the waiting ones that may start now: all if they can share where the others end.
    mutating func nextOutages(at time: Duration) -> [Int] {
        let count = isOutageNew(at: time) ? outagesWaiting.count : max(0, Self.most - outagesRunning)
        return (0..<count).compactMap { _ in outagesWaiting.popFirst() }
    }

    /// Whether where a path ended is news that others may share.
    private func isOutageNew(at time: Duration) -> Bool { outage.map { time - $0.time <= .seconds(10) } ?? false }

    mutating func remove(_ slot: Int) {
        if neighbour == slot { neighbour = nil }
        waiting.removeAll { $0 == slot }
        outagesWaiting.removeAll { $0 == slot }
    }
}

extension PathDestination {
    /// The network that is likely to be reached by the same hops: the first three bytes of an IPv4 address, or the
    /// first four groups of an IPv6 address.
    var network: String {
        if !isIPv6 { return String(address[..<(address.lastIndex(of: ".") ?? address.startIndex)]) }
        return address.split(separator: ":", omittingEmptySubsequences: false).prefix(4).joined(separator: ":")
    }
}
