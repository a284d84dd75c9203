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
    private var line: [Target.ID] = []
    private var waiting: Set<Target.ID> = []

    /// When the next in line may be asked, or the limit be raised; nil while there is no limit.
    func next(at now: Duration) -> Duration? {
        guard case .atMost(let most, let end) = limit else { return nil }
        return inFlight < most && !line.isEmpty ? now : end
    }

    /// Counts a target that is asked now; false if it has to stand in line, where it stands once.
    mutating func admit(_ id: Target.ID) -> Bool {
        if case .atMost(let most, _) = limit, inFlight >= most {
            if waiting.insert(id).inserted { line.append(id) }
            return false
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
        let turn = Array(line.prefix(max(0, most - inFlight)))
        line.removeFirst(turn.count)
        waiting.subtract(turn)
        return turn
    }

    /// Nobody asks these any more.
    mutating func forget(_ ids: [Target.ID]) {
        guard !waiting.isDisjoint(with: ids) else { return }
        waiting.subtract(ids)
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
