import DequeModule

/// A probe that waits to be sent.
struct PathWish: Sendable {
    /// What wants the probe.
    enum Purpose: Sendable {
        case run
        case watch
        case confirmation
    }

    let slot: Int
    /// The number of the run, watch or confirmation, so that wishes of an earlier one are recognized.
    let serial: UInt32
    let purpose: Purpose
    let priority: PathPriority
    let hop: Int
    let flow: Int
    let size: Int?
}

extension Deque<PathWish> {
    /// Adds a probe to those of its priority. Of traces for targets that went down, the oldest goes first: one that is complete
    /// says more than many that have begun.
    mutating func add(_ wish: PathWish) {
        guard wish.priority == .down else { return append(wish) }
        var index = endIndex
        while index > startIndex, self[index - 1].serial > wish.serial { index -= 1 }
        insert(wish, at: index)
    }
}

/// The order in which probes are sent.
enum PathPriority: Int, Sendable, CaseIterable {
    case confirmation, down, watch, first, refresh

    /// Whether the rate of all traces limits these probes.
    var isPaced: Bool { self != .confirmation && self != .watch }
}

/// The budget of each router and destination: at most one probe a second, whatever traces it is for.
///
/// A router that did not answer yet has no address. Probes of an unknown hop share one budget for each hop number,
/// since they may reach the same router: otherwise, a thousand new traces would send a thousand probes to the first
/// hop. Where many routers answer at a hop, that budget is larger: a quarter of a probe a second for each of them.
struct PathBudget: Sendable {
    private static let pause = Duration.seconds(1)
    /// How much too early a probe may leave: a round takes a second too, and timers are not exact. The next one is later by
    /// as much.
    private static let tolerance = Duration.milliseconds(5)

    /// The time between two probes to one of this number of routers.
    static func pause(routers: Int) -> Duration { routers < 8 ? pause : pause / (routers / 4) }

    /// Whose budget a probe uses.
    enum Key: Sendable, Hashable {
        case router(String)
        case destination(String)
        case unknown(hop: Int, isIPv6: Bool)
    }

    private struct Account: Sendable {
        /// When the next probe may be sent.
        var free = Duration.zero
        /// The waiting probes, by priority; empty if none waited yet.
        var waiting: [Deque<PathWish>] = []

        /// Whether the last probe that waited was one of a watched path.
        var wasWatch = false

        var hasWaiting: Bool { waiting.contains { !$0.isEmpty } }
    }

    private var accounts: [Key: Account] = [:]
    /// The number of accounts from which on unused ones are removed.
    private var cleanUpAt = 256

    /// Whether a probe can be sent without passing others.
    func isFree(_ key: Key, at time: Duration) -> Bool {
        guard let account = accounts[key] else { return true }
        return account.free <= time + Self.tolerance
    }

    /// Whether probes wait for this budget.
    func hasWaiting(_ key: Key) -> Bool { accounts[key]?.hasWaiting ?? false }

    /// When the next probe may be sent.
    func free(_ key: Key) -> Duration { accounts[key]?.free ?? .zero }

    /// Uses the budget for a probe that was sent at `time`.
    mutating func charge(_ key: Key, routers: Int = 1, at time: Duration) {
        let free = free(key)
        let start = free <= time + Self.tolerance ? max(free, time) : time
        accounts[key, default: Account()].free = max(free, start + Self.pause(routers: routers))
        guard accounts.count >= cleanUpAt else { return }
        accounts = accounts.filter { $0.value.free > time || $0.value.hasWaiting }
        cleanUpAt = max(256, 2 * accounts.count)
    }

    /// Adds a waiting probe. Returns whether it is the first, so that a timer is needed.
    mutating func wait(_ wish: PathWish, for key: Key) -> Bool {
        let isFirst = !hasWaiting(key)
        var account = accounts.removeValue(forKey: key) ?? Account()
        if account.waiting.isEmpty {
            account.waiting = PathPriority.allCases.map { _ in Deque() }
        }
        account.waiting[wish.priority.rawValue].add(wish)
        accounts[key] = account
        return isFirst
    }

    /// Removes and returns the waiting probe of the highest priority. Watched paths, which never have enough, take
    /// turns with the others.
    mutating func next(_ key: Key) -> PathWish? {
        guard let account = accounts[key], !account.waiting.isEmpty else { return nil }
        let priorities: [PathPriority] =
            account.wasWatch
            ? [.confirmation, .down, .first, .refresh, .watch] : [.confirmation, .down, .watch, .first, .refresh]
        guard let priority = priorities.first(where: { !account.waiting[$0.rawValue].isEmpty }) else { return nil }
        accounts[key]?.wasWatch = priority == .watch
        return accounts[key]?.waiting[priority.rawValue].popFirst()
    }
}

/// How the answers of one hop are divided among routers, in all traces.
struct HopDivision: Sendable {
    private static let limit = 64

    /// The number of losses in a row from which on a hop is silent for all traces that do not know its router.
    private static let silentLosses = 8

    private var counts: [String: Int] = [:]
    private var total = 0
    private var most = 0
    /// The number of probes lost since the newest answer, and when the first of them was sent.
    private var losses = 0
    private var lostSince = Duration.zero

    /// The only router that answered; nil if there are several.
    var only: String? { counts.count == 1 && most == total ? counts.first?.key : nil }

    /// The number of routers among which a probe of an unknown hop may go: as many as if all had the share of the
    /// most frequent one.
    var routers: Int { max(1, total / max(most, 1)) }

    /// Since when no router has answered a probe at this hop, whatever its destination; nil if that may be chance.
    var silentSince: Duration? { losses >= Self.silentLosses ? lostSince : nil }

    /// Records that a probe to an unknown router was lost, which was sent at `time`.
    mutating func recordLoss(sent time: Duration) {
        if losses == 0 { lostSince = time }
        losses += 1
    }

    /// Records an answer.
    mutating func record(_ address: String) {
        losses = 0
        total += 1
        guard counts.count < Self.limit || counts[address] != nil else { return }
        counts[address, default: 0] += 1
        most = max(most, counts[address] ?? 0)
    }
}

/// The limit of the probes of all traces that are not watched.
struct PathRate: Sendable {
    /// The maximum number of probes in any second.
    private(set) var limit: Int
    /// The times of the newest probes, as many as the limit; a ring.
    private var times: [Duration] = []
    private var oldest = 0
    /// When the next probe may be sent that is not urgent.
    private var paced = Duration.zero

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    mutating func change(limit: Int) {
        let limit = max(1, limit)
        guard limit != self.limit else { return }
        let newest = Array((times[oldest...] + times[..<oldest]).suffix(limit))
        (self.limit, times, oldest) = (limit, newest, 0)
    }

    /// When the next probe may be sent. Urgent ones may use the whole second at once, others are spread over it.
    func next(isUrgent: Bool) -> Duration {
        let window = times.count < limit ? .zero : times[oldest] + .seconds(1)
        return isUrgent ? window : max(window, paced)
    }

    mutating func record(at time: Duration) {
        if times.count < limit {
            times.append(time)
        } else {
            times[oldest] = time
            oldest = oldest + 1 == times.count ? 0 : oldest + 1
        }
        let step = Duration.seconds(1) / limit
        paced = max(paced, time - step) + step
    }
}
