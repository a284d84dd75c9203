import ReachMonitoring
import ReachSystem

/// The limit on the number of probes with open sockets, once descriptors have run short.
///
/// There is no limit until a probe gets no descriptor. Then the limit is the number of probes that have one. Targets
/// that are due beyond it are queued, and probed when another probe has ended. Each second without a further failure
/// doubles the limit; when the queue is empty, the limit is removed. The engine thus notices that the user has raised
/// the limit, at the cost of one failed probe a second.
struct DescriptorBudget: Sendable {
    /// The time before the limit is raised.
    static let pause = Duration.seconds(1)

    private enum Limit: Sendable {
        case none
        case atMost(Int, until: Duration)
    }

    private struct QueueEntry: Sendable {
        let id: Target.ID
        let number: Int
    }

    private var limit = Limit.none
    /// The number of probes in flight that may have a descriptor.
    private(set) var inFlight = 0
    /// The queue; it also contains entries of targets that have left it.
    private var queue: ArraySlice<QueueEntry> = []
    /// The queued targets, with the numbers of their entries.
    private var waiting: [Target.ID: Int] = [:]
    private var entryCount = 0
    /// The queued targets whose turn it is. They leave the queue only when they are admitted: after a raised limit most
    /// are not, and must not lose their places.
    private var selected: Set<Target.ID> = []

    /// When the next queued target may be probed, or the limit raised; nil while there is no limit.
    func next(at now: Duration) -> Duration? {
        guard case .atMost(let maximum, let end) = limit else { return nil }
        return inFlight < maximum && !waiting.isEmpty ? now : end
    }

    /// Admits a target for a probe. Returns false if the target is queued instead; it has one entry in the queue.
    mutating func admit(_ id: Target.ID) -> Bool {
        // Free capacity goes to the queued targets first.
        let isInTurn = selected.remove(id) != nil || waiting.isEmpty
        if case .atMost(let maximum, _) = limit, inFlight >= maximum || !isInTurn {
            if waiting[id] == nil {
                entryCount += 1
                waiting[id] = entryCount
                queue.append(QueueEntry(id: id, number: entryCount))
            }
            return false
        }
        if waiting.removeValue(forKey: id) != nil { removeStaleEntries() }
        inFlight += 1
        return true
    }

    /// Records the end of an admitted probe; `isShort` if it got no descriptor.
    mutating func end(isShort: Bool, at time: Duration) {
        inFlight = max(0, inFlight - 1)
        guard isShort else { return }
        limit = .atMost(inFlight, until: time + Self.pause)
    }

    /// Returns the targets whose turn it is; each must then be admitted.
    mutating func nextTargets(at time: Duration) -> [Target.ID] {
        guard case .atMost(var maximum, let end) = limit else { return [] }
        if end <= time {
            maximum = max(1, maximum * 2)
            limit = waiting.isEmpty ? .none : .atMost(maximum, until: time + Self.pause)
        }
        let free = max(0, maximum - inFlight - selected.count)
        // Skips the search: in most ticks there is no capacity.
        guard free > 0 else { return [] }
        let isNext = { [waiting, selected] (entry: QueueEntry) in
            waiting[entry.id] == entry.number && !selected.contains(entry.id)
        }
        let turn = Array(queue.lazy.filter(isNext).prefix(free).map(\.id))
        selected.formUnion(turn)
        return turn
    }

    /// Whether descriptors have run short.
    var isLimited: Bool {
        if case .atMost = limit { true } else { false }
    }

    /// Removes targets that are no longer watched, or no longer probed by a method that opens descriptors.
    mutating func forget(_ ids: [Target.ID]) {
        for id in ids where waiting.removeValue(forKey: id) != nil { selected.remove(id) }
        removeStaleEntries()
    }

    /// Removes stale entries once they are as many as the queued targets: removing few at a time would scan the queue
    /// for each.
    private mutating func removeStaleEntries() {
        while let first = queue.first, waiting[first.id] != first.number { queue.removeFirst() }
        guard queue.count > 2 * waiting.count + 16 else { return }
        queue.removeAll { waiting[$0.id] != $0.number }
    }

    /// Removes this number of discarded probes from the count.
    mutating func drop(_ count: Int) {
        inFlight = max(0, inFlight - count)
    }

    /// Resets the count: all probes in flight are discarded.
    mutating func discardInFlight() {
        inFlight = 0
    }
}

extension Method {
    /// Whether a probe opens descriptors of its own.
    var opensDescriptors: Bool {
        switch self {
        case .icmp, .link, .route, .fleet: false
        case .tcp, .session, .tls, .http, .https, .dns, .udp, .redis, .rediss, .postgres, .mysql, .exec: true
        }
    }
}

/// The limit on the open descriptors of this process. Each connection in flight takes one.
public struct DescriptorLimit: Sendable, Hashable {
    /// More than any configuration needs. A limit in the millions slows down programs that close descriptors one by
    /// one.
    static let plenty: UInt = 65_536

    /// The limit in force.
    public let soft: UInt
    /// The highest soft limit that the process may set.
    public let hard: UInt

    /// Creates a limit with these values.
    public init(soft: UInt, hard: UInt) {
        self.soft = soft
        self.hard = hard
    }

    /// The soft limit after ``raise()``.
    public var raised: UInt {
        #if canImport(Darwin)
        // The kernel accepts no higher value, even if the hard limit is infinite.
        max(soft, min(hard, Self.plenty, UInt(OPEN_MAX)))
        #else
        max(soft, min(hard, Self.plenty))
        #endif
    }

    /// The current limits of this process.
    public static var current: DescriptorLimit {
        guard let limits = LimitedResource.descriptors.limits else { return DescriptorLimit(soft: 0, hard: 0) }
        return DescriptorLimit(soft: UInt(limits.rlim_cur), hard: UInt(limits.rlim_max))
    }

    /// Raises the soft limit to the hard one, at most to 65,536. A higher soft limit is kept.
    public static func raise() {
        let before = current
        guard before.raised > before.soft else { return }
        DescriptorLimit(soft: before.raised, hard: before.hard).apply()
    }

    /// Sets the limits of this process; errors are ignored.
    public func apply() {
        LimitedResource.descriptors.setLimits(rlimit(rlim_cur: rlim_t(soft), rlim_max: rlim_t(hard)))
    }
}

/// The descriptors kept free of probes: a command takes seven while it starts, a name lookup two, and the settings file
/// one.
struct DescriptorReserve: Sendable {
    /// The size of the reserve under a limit.
    static func size(of limit: UInt) -> UInt { min(64, limit / 4) }

    /// The number of probes that may be sent before the next check.
    private var uncheckedProbes: UInt = 0

    /// The fault of a probe that would take a descriptor of the reserve; nil if there are enough.
    ///
    /// Without a shortage, it checks once for every eighth of the reserve: a check is a system call.
    mutating func shortage(isLimited: Bool) -> Fault? {
        guard isLimited || uncheckedProbes == 0 else {
            uncheckedProbes -= 1
            return nil
        }
        // The kernel returns the lowest free number: if it is within the reserve, no other descriptor is free.
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return errno == EMFILE ? Fault(errno: EMFILE) : nil }
        closeDescriptor(descriptor)
        // Read again: the user may raise it meanwhile.
        let limit = DescriptorLimit.current.soft
        let size = Self.size(of: limit)
        uncheckedProbes = size / 8
        return limit > 0 && UInt(descriptor) >= limit - size ? Fault(errno: EMFILE) : nil
    }
}

extension Fault {
    /// The fault of a process that cannot open a descriptor now; nil if it can.
    static func descriptorShortage() -> Fault? {
        let descriptor = openSocket(.ipv4, SocketType.datagram)
        guard descriptor < 0 else {
            closeDescriptor(descriptor)
            return nil
        }
        let code = errno
        return code == EMFILE || code == ENFILE ? Fault(errno: code) : nil
    }
}
