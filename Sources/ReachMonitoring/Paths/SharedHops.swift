/// The hops that traces share: the local stop set of Doubletree (Donnet, Raoult, Friedman and Crovella, "Efficient
/// algorithms for large-scale topology discovery", SIGMETRICS 2005).
///
/// An entry is a router at a hop, with the router before it. A trace that meets a known entry on its way back need
/// not probe the hops before it. Sharing must not show a false path, so there are limits:
///
/// - Each entry is verified by three traces in ten minutes, with probes of their own. Others stop there.
/// - An entry without an answer for twenty minutes is not shared.
/// - If traces find different routers before an entry, as behind routers that divide traffic, nothing before it is
///   shared for an hour. A trace that measured its own way there keeps it while all routers on it still answer others.
/// - If three traces in a row find another router before an entry, the route has moved, and the entry with it.
/// - Shared hops are marked as such, and each trace verifies its whole path from time to time (`PathPlan`).
struct SharedHops: Sendable {
    /// The number of traces that verify an entry in each window.
    static let verifications: UInt8 = 3
    static let window = Duration.seconds(600)
    static let longestAge = Duration.seconds(1_200)
    static let ambiguity = Duration.seconds(3_600)
    /// The maximum number of entries.
    static let limit = 1 << 16

    /// A router at a hop.
    struct Router: Sendable, Hashable {
        let hop: Int
        let address: String
    }

    private struct Key: Hashable, Sendable {
        let router: Router
        let method: PathMethod
        let isIPv6: Bool
    }

    private struct Entry: Sendable {
        /// The router before; nil if none before it answers.
        var parent: Router?
        /// The number of traces that found this parent, limited.
        var found: UInt8 = 0
        /// The same in the current window.
        var foundInWindow: UInt8 = 0
        /// The number of traces in a row that found another parent, the rival.
        var rivalFound: UInt8 = 0
        var rival: Router?
        var windowStart = Duration.zero
        /// When the newest probe was sent that it answered.
        var seen = Duration.zero
        /// When the newest two probes were sent that it did not answer; nil for those before `seen`.
        var lost: Duration?
        var lostBefore: Duration?
        /// When the parent was found first.
        var parentSince = Duration.zero
        var ambiguousUntil = Duration.zero

        mutating func recordAnswer(sent time: Duration) {
            seen = max(seen, time)
            if let lost, lost <= seen { self.lost = nil }
            if let lostBefore, lostBefore <= seen { self.lostBefore = nil }
        }

        mutating func recordLoss(sent time: Duration) {
            guard time > seen else { return }
            guard let lost else {
                self.lost = time
                return
            }
            lostBefore = max(lostBefore ?? .zero, min(lost, time))
            self.lost = max(lost, time)
        }
    }

    /// The paths that may share hops: those of one method and family.
    struct Group: Sendable, Hashable {
        let method: PathMethod
        let isIPv6: Bool

        init(_ destination: PathDestination) {
            (method, isIPv6) = (destination.method, destination.isIPv6)
        }
    }

    private var entries: [Key: Entry] = [:]

    private func key(_ router: Router, _ group: Group) -> Key {
        Key(router: router, method: group.method, isIPv6: group.isIPv6)
    }

    /// Records that a router answered a probe that was sent at `time`.
    mutating func recordAnswer(of router: Router, group: Group, sent time: Duration) {
        entries[key(router, group)]?.recordAnswer(sent: time)
    }

    /// Records that a router did not answer a probe that was sent at `time`.
    mutating func recordLoss(of router: Router, group: Group, sent time: Duration) {
        entries[key(router, group)]?.recordLoss(sent: time)
    }

    /// Since when a router has answered none of at least two probes; nil if it answers, or is not known.
    func silentSince(_ router: Router, group: Group) -> Duration? { entries[key(router, group)]?.lostBefore }

    /// Whether the router of an address answered a probe that was sent at `time` or later, and how many such probes it did not
    /// answer, at most two: by all methods, and at any hop.
    func results(of address: String, isIPv6: Bool, maxHops: Int, since time: Duration) -> (answered: Bool, losses: Int)
    {
        var losses = 0
        for hop in 1...maxHops {
            for method in PathMethod.allCases {
                let key = Key(router: Router(hop: hop, address: address), method: method, isIPv6: isIPv6)
                guard let entry = entries[key] else { continue }
                if entry.seen >= time { return (true, 0) }
                losses += [entry.lost, entry.lostBefore].count { $0.map { $0 >= time } ?? false }
            }
        }
        return (false, min(losses, 2))
    }

    /// Records that a trace found `router` behind `parent`, with its own probes. `sent` is when the newest of them was sent
    /// that the router answered: it may be off when the trace ends.
    mutating func record(
        _ router: Router,
        behind parent: Router?,
        group: Group,
        sent: Duration,
        at time: Duration
    ) {
        let key = key(router, group)
        guard var entry = entries[key] else {
            makeRoom(at: time)
            guard entries.count < Self.limit else { return }
            entries[key] = Entry(
                parent: parent,
                found: 1,
                foundInWindow: 1,
                windowStart: time,
                seen: sent,
                parentSince: time
            )
            return
        }
        entry.recordAnswer(sent: sent)
        if time - entry.windowStart >= Self.window { (entry.windowStart, entry.foundInWindow) = (time, 0) }
        entry.foundInWindow = min(entry.foundInWindow + 1, 200)
        if entry.parent == parent {
            entry.found = min(entry.found + 1, 200)
            if entry.rival != nil || entry.rivalFound > 0 { entry.ambiguousUntil = time + Self.ambiguity }
            (entry.rival, entry.rivalFound) = (nil, 0)
        } else {
            entry.rivalFound = entry.rival == parent ? entry.rivalFound + 1 : 1
            entry.rival = parent
            if entry.rivalFound >= Self.verifications {
                (entry.parent, entry.found, entry.parentSince) = (parent, entry.rivalFound, time)
                (entry.rival, entry.rivalFound) = (nil, 0)
            }
        }
        entries[key] = entry
    }

    /// The router that was found last before this one; nil if it is not known.
    func parent(of router: Router, group: Group) -> Router? {
        entries[key(router, group)].flatMap { $0.rival ?? $0.parent }
    }

    /// When this router answered last; nil if it is not known.
    func lastAnswer(of router: Router, group: Group) -> Duration? { entries[key(router, group)]?.seen }

    /// Whether enough traces verified this entry in the current window.
    func isVerified(_ router: Router, group: Group, at time: Duration) -> Bool {
        guard let entry = entries[key(router, group)] else { return false }
        return time - entry.windowStart < Self.window && entry.foundInWindow >= Self.verifications
    }

    /// Returns the routers before this one as `trace` may share them, from the nearest to the first; nil if it may
    /// not.
    func routers(before router: Router, for trace: PathTrace, at time: Duration) -> [Router]? {
        let group = Group(trace.destination)
        var routers: [Router] = []
        var current = router
        while true {
            guard let entry = entries[key(current, group)], time - entry.seen <= Self.longestAge else { return nil }
            var next = entry.parent
            let isCertain = entry.found >= Self.verifications && entry.rivalFound == 0 && time >= entry.ambiguousUntil
            switch trace.measuredRouter(before: current.hop) {
            case .unknown:
                guard isCertain else { return nil }
            case .none:
                // Nothing before it answered this trace.
                guard next == nil else { return nil }
            case .router(let own):
                guard own != next || !isCertain else { break }
                let seen = entries[key(own, group)]?.seen
                if isCertain, seen.map({ $0 < entry.parentSince }) ?? true { break }
                // Both ways are in use, and this trace has its own.
                guard let seen, time - seen <= Self.longestAge else { return nil }
                next = own
            }
            guard let next, next.hop < current.hop else { return routers }
            routers.append(next)
            current = next
        }
    }

    /// Removes old entries if there are many.
    private mutating func makeRoom(at time: Duration) {
        guard entries.count >= Self.limit, entries.count.isMultiple(of: 64) else { return }
        entries = entries.filter { time - $0.value.seen <= Self.longestAge }
    }
}

extension PathDestination {
    var isIPv6: Bool { address.utf8.contains(UInt8(ascii: ":")) }
}

extension PathTrace {
    /// What this trace knows by its own probes about the router before a hop.
    enum MeasuredRouter: Sendable, Hashable {
        case unknown
        /// No hop before answers.
        case none
        case router(SharedHops.Router)
    }

    func measuredRouter(before number: Int) -> MeasuredRouter {
        for number in stride(from: number - 1, through: 1, by: -1) {
            guard let hop = hop(number), !hop.isShared, hop.sent > 0 else { return .unknown }
            if let address = hop.address { return .router(SharedHops.Router(hop: number, address: address)) }
        }
        return .none
    }
}
