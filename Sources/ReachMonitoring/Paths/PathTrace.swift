/// A change of the address of a hop.
public struct PathChange: Sendable, Hashable {
    /// The hop.
    public let hop: Int
    /// The flow.
    public let flow: Int
    /// The address before.
    public let before: String
    /// The address now.
    public let after: String

    /// Creates a change.
    public init(hop: Int, flow: Int, before: String, after: String) {
        (self.hop, self.flow, self.before, self.after) = (hop, flow, before, after)
    }
}

/// The state of the path to one destination.
///
/// Hops are numbered from 1. A hop is either measured by probes of this trace, or shared: its address was found by a
/// trace that has the same hops behind it (``PathHop/isShared``).
public struct PathTrace: Sendable {
    /// The number of results kept of a hop while the path is watched: two minutes.
    public static let watchedHistory = 120
    /// The number of results kept of a hop otherwise.
    public static let idleHistory = 12
    /// The number of unanswered hops after the last answering one that belong to a path that does not reach its
    /// destination.
    public static let silentLimit = 5
    /// The destination.
    public let destination: PathDestination
    /// The number of the last hop that is probed, at most 255.
    public let maxHops: Int
    /// The length of the path when it last reached the destination; nil if it never did.
    public private(set) var knownLength: Int?
    /// The largest packet that reaches the destination.
    public internal(set) var mtu = PathMTU()
    /// When the newest run began.
    private(set) var began = Duration.zero
    /// When the watch began; nil without one.
    private(set) var watchBegan: Duration?
    /// The hops of each flow that were probed or shared.
    private var flows: [[PathHop]] = [[]]

    /// Creates the trace of a path that was not probed yet.
    public init(destination: PathDestination, maxHops: Int = 30) {
        self.destination = destination
        self.maxHops = min(max(maxHops, 1), 255)
    }

    /// Whether the path is watched: probed every second.
    public var isWatched: Bool { watchBegan != nil }

    /// Whether probes have no result yet.
    var isWaiting: Bool { flows.contains { $0.contains { $0.inFlight > 0 } } }

    /// The number of flows that were probed.
    public var flowCount: Int { flows.count }

    /// Returns the hops of a flow. The last one is the destination if the path reaches it; otherwise, unanswered hops
    /// follow the last one that answered, as far as they were probed.
    public func hops(flow: Int = 0) -> ArraySlice<PathHop> {
        guard flows.indices.contains(flow) else { return [] }
        return flows[flow].prefix(length(flow: flow))
    }

    /// A hop; nil if it was neither probed nor shared.
    func hop(_ number: Int, flow: Int = 0) -> PathHop? {
        guard flows.indices.contains(flow), flows[flow].indices.contains(number - 1) else { return nil }
        return flows[flow][number - 1]
    }

    /// The number of the hop at which the destination answers, or a machine that refuses for it: the first one that
    /// always did so recently. Where routes of different lengths take turns, the longest.
    public func destinationHop(flow: Int = 0) -> Int? {
        guard flows.indices.contains(flow) else { return nil }
        let hops = flows[flow]
        return (hops.firstIndex { $0.isSettledEnd } ?? hops.firstIndex { $0.isEnd }).map { $0 + 1 }
    }

    /// The number of the hop whose router reports an obstacle at a hop: usually the one before.
    ///
    /// A reporter that has not answered another probe, such as a silent router or this machine, may be at any hop from the one
    /// behind the last that answers to that of the report. It is taken for the first of these: what is behind it is unknown.
    func reporter(at number: Int, flow: Int = 0) -> Int {
        knownReporter(at: number, flow: flow)
            ?? ((1..<number).last { hop($0, flow: flow).map(hasPassed) ?? false } ?? 0) + 1
    }

    /// The number of an earlier hop that answered from the same address as this one; nil if none did.
    func knownReporter(at number: Int, flow: Int) -> Int? {
        let source = hop(number, flow: flow)?.source
        return (1..<number).first { number in
            guard let hop = hop(number, flow: flow) else { return false }
            return hop.addressGroup.current == source || hop.answer == .exceeded && hop.source == source
        }
    }

    /// Whether packets have passed a hop in the newest run or the watch, by all that is known: its router answered, or was not
    /// probed.
    private func hasPassed(_ hop: PathHop) -> Bool {
        let start = watchBegan ?? began
        return hop.addressGroup.current != nil && (hop.hasAnswered(since: start) || !hop.hasResult(since: start))
    }

    /// The hops that never answered, on a path of known length. Probes of the destination find what is to be found there: the
    /// reports of obstacles.
    var silentHops: Set<Int> {
        guard let knownLength else { return [] }
        let hops = flows[0].prefix(knownLength - 1)
        return Set(hops.indices.filter { hops[$0].isKnownSilent }.map { $0 + 1 })
    }

    /// The number of the hop at which an address has answered; nil if it has not.
    func number(of address: String) -> Int? {
        let hops = flows[0]
        let index =
            hops.firstIndex { $0.addressGroup.current == address }
            ?? hops.firstIndex { hop in hop.addresses.contains { $0.address == address } }
        return index.map { $0 + 1 }
    }

    /// The number of the last hop that ever answered; zero if none did.
    func lastAnsweringHop(flow: Int = 0) -> Int {
        (flows[flow].lastIndex { $0.addressGroup.current != nil }).map { $0 + 1 } ?? 0
    }

    /// Whether the address of a hop may have changed, and more answers are needed to tell.
    var isUndecided: Bool { flows[0].contains { $0.addressGroup.isUndecided } }

    /// The number of hops that belong to the path.
    private func length(flow: Int) -> Int {
        if let destination = destinationHop(flow: flow) { return destination }
        // None could be sent.
        guard flows[flow].contains(where: { $0.sent > 0 || $0.isShared }) else { return 0 }
        let last = lastAnsweringHop(flow: flow)
        if let obstacle = flows[flow].firstIndex(where: \.reportsObstacle) {
            let isOwn = reporter(at: obstacle + 1, flow: flow) == obstacle + 1
            return max(last, min(isOwn ? obstacle + 1 : obstacle, last + 1))
        }
        let length = min(flows[flow].count, last + Self.silentLimit)
        return loop(flow: flow).map { min(length, $0.second + 1) } ?? length
    }

    /// The time within which the hops answer that answered before; nil if the length of the path is not known.
    var usualTimeout: Duration? {
        guard knownLength != nil, let worst = flows[0].compactMap(\.worst).max() else { return nil }
        return max(.milliseconds(300), worst * 2 + .milliseconds(100))
    }

    /// The addresses of the hops until where the path ends; nil for a hop that does not answer.
    func addresses(until end: PathEnd) -> [String?] {
        let hops = hops()
        return hops.prefix(end.isReached ? hops.count : end.hop ?? 0).map { $0.isQuiet ? nil : $0.observed }
    }

    /// The number of the last hop that a watched path probes.
    func probeLimit(flow: Int) -> Int {
        guard flows.indices.contains(flow) else { return maxHops }
        if let destination = destinationHop(flow: flow) { return destination }
        // A silent hop keeps its last report: only the hops behind it can say that packets pass again.
        let obstacle = flows[flow].firstIndex { hop in
            hop.reportsObstacle && hop.history.suffix(3).contains { !$0.isLost }
        }
        if let obstacle { return obstacle + 1 }
        if let loop = loop(flow: flow) { return min(maxHops, loop.second + 1) }
        return min(maxHops, lastAnsweringHop(flow: flow) + Self.silentLimit)
    }

    /// Whether the newest answer of a hop says what the path is like: it is one of the newest run or the watch, and in a
    /// watch, the hop was not silent since. The clock plays no part: a path that is no longer probed stays as it was. A watch
    /// that has no result of the hop yet says nothing against the run before.
    ///
    /// - Parameter time: the beginning of the run, if that is another one than the newest.
    func isCurrent(_ hop: PathHop, since time: Duration? = nil) -> Bool {
        let watchBegan = watchBegan.flatMap { hop.hasResult(since: $0) ? $0 : nil }
        guard hop.hasAnswered(since: time ?? watchBegan ?? began) else { return false }
        // Routers limit their reports of obstacles more than other answers: Linux uses the limit up without a report.
        return !isWatched || hop.reportsObstacle || hop.isAnswering
    }
}

extension PathTrace {
    /// A loop: the numbers of two hops with the same router.
    struct Loop: Sendable, Hashable {
        let first: Int
        let second: Int
    }

    /// Returns the loop of the hops that answer; nil if there is none.
    ///
    /// It is a loop if a router answers for two hops and another one, or none, for a hop between them; or for three
    /// hops in a row. A router that answers for two successive hops is none: some forward packets whose time to live
    /// has expired. A path that reaches its destination has no loop, though packets may pass a router twice.
    func loop(since time: Duration? = nil, flow: Int = 0) -> Loop? {
        guard flows.indices.contains(flow) else { return nil }
        let hops = flows[flow]
        if hops.contains(where: { $0.isEnd && isCurrent($0, since: time) }) { return nil }
        var first: [String: Int] = [:]
        for (index, hop) in hops.enumerated() where hop.answer == .exceeded && isCurrent(hop, since: time) {
            guard let address = hop.observed else { continue }
            if let earlier = first[address] {
                if index - earlier >= 2 { return Loop(first: earlier + 1, second: index + 1) }
            } else {
                first[address] = index
            }
        }
        return nil
    }
}

extension PathHop {
    /// Whether the newest answer reports that the destination cannot be reached.
    var reportsObstacle: Bool {
        if case .unreachable = answer { !isEnd } else { false }
    }
}

extension PathTrace {
    var historyLimit: Int { isWatched ? Self.watchedHistory : Self.idleHistory }

    /// Starts a run: from now on, earlier answers do not say what the path is like.
    mutating func begin(at time: Duration) {
        began = time
        for index in flows[0].indices { flows[0][index].endRepetition() }
    }

    mutating func watch(at time: Duration) { watchBegan = time }

    /// Ends the watch. The history becomes short, and hops behind the destination and flows but the first are
    /// forgotten.
    mutating func endWatch(at time: Duration) {
        // A short watch may lack results of some hops.
        if let watchBegan, time - watchBegan >= PathHop.patience { began = max(began, time - PathHop.patience) }
        watchBegan = nil
        flows.removeLast(flows.count - 1)
        trim()
    }

    /// Forgets hops that do not belong to the path, and old results.
    mutating func trim() {
        for flow in flows.indices {
            // The hop behind a router that reports an obstacle has the report.
            let hasObstacle = flows[flow].contains(where: \.reportsObstacle)
            let excess = flows[flow].count - length(flow: flow) - (hasObstacle ? 1 : 0)
            if excess > 0 { flows[flow].removeLast(excess) }
            guard !isWatched else { continue }
            for index in flows[flow].indices { flows[flow][index].trimHistory(to: Self.idleHistory) }
            flows[flow] = Array(flows[flow])
        }
    }

    /// Counts a probe that is sent.
    mutating func recordSent(_ probe: PathProbe) {
        guard probe.size == nil else { return }
        change(probe.hop, flow: probe.flow, isNew: true) { $0.recordSent() }
    }

    /// Forgets a probe that could not be sent.
    mutating func withdraw(_ probe: PathProbe) {
        guard probe.size == nil else { return }
        change(probe.hop, flow: probe.flow) { $0.withdraw() }
    }

    /// Counts a lost probe.
    mutating func recordLoss(_ probe: PathProbe, sent: Duration) {
        guard probe.size == nil else { return }
        let limit = historyLimit
        change(probe.hop, flow: probe.flow) { $0.recordLoss(sent: sent, historyLimit: limit) }
    }

    /// Records that the lost probe of a hop is repeated.
    mutating func recordRepetition(of hop: Int) {
        change(hop, flow: 0) { $0.recordRepetition() }
    }

    /// Counts a second answer to a probe.
    mutating func recordDuplicate(_ probe: PathProbe) {
        change(probe.hop, flow: probe.flow) { $0.recordDuplicate() }
    }

    /// Counts an answer. Returns the change that it completes, if any.
    mutating func record(
        _ answer: PathAnswer,
        to probe: PathProbe,
        sent: Duration,
        at time: Duration,
        wasLost: Bool = false
    ) -> PathChange? {
        if case .tooBig(let mtu) = answer.kind {
            // A smaller one is forged, or zero: not reported. A link that carries the packet reports nothing.
            let least = destination.isIPv6 ? PathMTU.smallestIPv6 : PathMTU.smallest
            let isPossible = mtu >= least && probe.size.map { mtu < $0 } ?? false
            for index in flows[0].indices where flows[0][index].address == answer.source && isPossible {
                flows[0][index].mtu = mtu
            }
            // A small packet that is "too big" is a fault, but it was answered.
            if probe.size != nil { return nil }
        }
        guard probe.size == nil else { return nil }
        let limit = historyLimit
        var before: String?
        change(probe.hop, flow: probe.flow) {
            before = $0.record(answer, sent: sent, at: time, wasLost: wasLost, historyLimit: limit)
        }
        if case .reached = answer.kind {
            if probe.flow == 0 { knownLength = destinationHop() }
            clearObstacles(before: probe.hop, flow: probe.flow, reportedBefore: sent)
        }
        return before.map { PathChange(hop: probe.hop, flow: probe.flow, before: $0, after: answer.source) }
    }

    /// Takes over the address of a hop from another trace; nil if the hop does not answer.
    mutating func share(_ address: String?, at hop: Int, confirmed time: Duration?) {
        change(hop, flow: 0, isNew: true) { $0.share(address, confirmed: time) }
    }

    /// Records that the router of a hop answered another trace at `time`.
    mutating func confirm(_ hop: Int, at time: Duration) {
        change(hop, flow: 0) { $0.confirm(at: time) }
    }

    /// Takes this hop for the destination's after a run, whatever answered there before.
    mutating func settleDestination(at hop: Int) {
        change(hop, flow: 0) { $0.settleEnd() }
        knownLength = destinationHop()
        if case .reached = self.hop(hop)?.answer {
            clearObstacles(before: hop, flow: 0, reportedBefore: .nanoseconds(Int64.max))
        }
    }

    /// Forgets the obstacles before a hop that the destination has answered.
    private mutating func clearObstacles(before hop: Int, flow: Int, reportedBefore time: Duration) {
        for number in 1..<hop { change(number, flow: flow) { $0.clearObstacle(reportedBefore: time) } }
    }

    /// Changes a hop; a new one is added if `isNew`.
    private mutating func change(_ number: Int, flow: Int, isNew: Bool = false, _ body: (inout PathHop) -> Void) {
        guard number >= 1, number <= 255, flow >= 0, flow < 256 else { return }
        if isNew {
            while flows.count <= flow { flows.append([]) }
            while flows[flow].count < number { flows[flow].append(PathHop()) }
        }
        guard flows.indices.contains(flow), flows[flow].indices.contains(number - 1) else { return }
        body(&flows[flow][number - 1])
    }
}
