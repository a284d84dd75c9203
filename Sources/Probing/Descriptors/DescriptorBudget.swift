import Monitoring

/// How many probes may have sockets open, once it has turned out that there are too few descriptors.
///
/// As long as nothing fails there is no limit. A probe that gets no descriptor sets it to the number of those that had
/// one; whoever is due beyond that stands in line, and is asked when another has ended. Every second without a further
/// failure doubles the limit, and with nobody left in line it goes: so it notices when the user has raised the limit,
/// at the cost of one failed probe a second.
struct DescriptorBudget: Sendable {
    /// How long the limit stands before more is tried.
    static let pause = Duration.seconds(1)

    private enum Limit: Sendable {
        case none
        case atMost(Int, until: Duration)
    }

    private var limit = Limit.none
    /// How many probes are under way that may have a descriptor open.
    private(set) var inFlight = 0
    private var line: ArraySlice<Target.ID> = []
    /// Whoever stands in line.
    private var waiting: Set<Target.ID> = []
    /// Those in line whose turn it is. They leave it only when they are admitted, and so who is called in vain, as most
    /// are whom a raised limit calls, does not fall behind those who came later.
    private var called: Set<Target.ID> = []

    /// When the next in line may be asked, or the limit be raised; nil while there is no limit.
    func next(at now: Duration) -> Duration? {
        guard case .atMost(let most, let end) = limit else { return nil }
        return inFlight < most && !line.isEmpty ? now : end
    }

    /// Counts a target that is asked now; false if it has to stand in line, where it stands once.
    mutating func admit(_ id: Target.ID) -> Bool {
        // Not even room lets anybody pass those who wait for it.
        let isInTurn = called.remove(id) != nil || line.isEmpty
        if case .atMost(let most, _) = limit, inFlight >= most || !isInTurn {
            if waiting.insert(id).inserted { line.append(id) }
            return false
        }
        if waiting.remove(id) != nil {
            if line.first == id { line.removeFirst() } else { line.removeAll { $0 == id } }
        }
        inFlight += 1
        return true
    }

    /// A probe that was admitted has ended; `isShort` if it got no descriptor.
    mutating func end(isShort: Bool, at time: Duration) {
        inFlight = max(0, inFlight - 1)
        guard isShort else { return }
        limit = .atMost(inFlight, until: time + Self.pause)
    }

    /// The targets whose turn it is; each has to be admitted.
    mutating func take(at time: Duration) -> [Target.ID] {
        guard case .atMost(var most, let end) = limit else { return [] }
        if end <= time {
            most = max(1, most * 2)
            limit = line.isEmpty ? .none : .atMost(most, until: time + Self.pause)
        }
        let room = max(0, most - inFlight - called.count)
        // Nobody is searched for in vain: in most ticks there is no room.
        guard room > 0 else { return [] }
        let turn = Array(line.lazy.filter { [called] in !called.contains($0) }.prefix(room))
        called.formUnion(turn)
        return turn
    }

    /// Whether it has turned out that there are too few descriptors.
    var isLimited: Bool {
        if case .atMost = limit { true } else { false }
    }

    /// Nobody asks these any more, or none of them by a method that opens descriptors.
    mutating func forget(_ ids: [Target.ID]) {
        guard !waiting.isDisjoint(with: ids) else { return }
        waiting.subtract(ids)
        called.subtract(ids)
        line.removeAll { !waiting.contains($0) }
    }

    /// So many admitted probes are nobody's any more.
    mutating func drop(_ count: Int) {
        inFlight = max(0, inFlight - count)
    }

    /// Every probe under way has ended without a word.
    mutating func void() {
        inFlight = 0
    }
}

extension Method {
    /// Whether a probe opens descriptors of its own.
    var opensDescriptors: Bool {
        switch self {
        case .icmp, .link, .route: false
        case .tcp, .session, .tls, .http, .https, .dns, .udp, .exec: true
        }
    }
}
