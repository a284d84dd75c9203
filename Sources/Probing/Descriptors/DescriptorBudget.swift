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

    private struct Place: Sendable {
        let id: Target.ID
        let number: Int
    }

    private var limit = Limit.none
    /// How many probes are under way that may have a descriptor open.
    private(set) var inFlight = 0
    /// Those in line, and others that have left it since.
    private var line: ArraySlice<Place> = []
    /// Whoever stands in line, by the number of the place.
    private var waiting: [Target.ID: Int] = [:]
    private var placeCount = 0
    /// Those in line whose turn it is. They leave it only when they are admitted, and so who is called in vain, as most
    /// are whom a raised limit calls, does not fall behind those who came later.
    private var called: Set<Target.ID> = []

    /// When the next in line may be asked, or the limit be raised; nil while there is no limit.
    func next(at now: Duration) -> Duration? {
        guard case .atMost(let most, let end) = limit else { return nil }
        return inFlight < most && !waiting.isEmpty ? now : end
    }

    /// Counts a target that is asked now; false if it has to stand in line, where it stands once.
    mutating func admit(_ id: Target.ID) -> Bool {
        // Not even room lets anybody pass those who wait for it.
        let isInTurn = called.remove(id) != nil || waiting.isEmpty
        if case .atMost(let most, _) = limit, inFlight >= most || !isInTurn {
            if waiting[id] == nil {
                placeCount += 1
                waiting[id] = placeCount
                line.append(Place(id: id, number: placeCount))
            }
            return false
        }
        if waiting.removeValue(forKey: id) != nil { closeRanks() }
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
            limit = waiting.isEmpty ? .none : .atMost(most, until: time + Self.pause)
        }
        let room = max(0, most - inFlight - called.count)
        // Nobody is searched for in vain: in most ticks there is no room.
        guard room > 0 else { return [] }
        let isNext = { [waiting, called] (place: Place) in
            waiting[place.id] == place.number && !called.contains(place.id)
        }
        let turn = Array(line.lazy.filter(isNext).prefix(room).map(\.id))
        called.formUnion(turn)
        return turn
    }

    /// Whether it has turned out that there are too few descriptors.
    var isLimited: Bool {
        if case .atMost = limit { true } else { false }
    }

    /// Nobody asks these any more, or none of them by a method that opens descriptors.
    mutating func forget(_ ids: [Target.ID]) {
        for id in ids where waiting.removeValue(forKey: id) != nil { called.remove(id) }
        closeRanks()
    }

    /// Takes those out of the line who have left it, once they are as many as those who stand in it: few at a time would have
    /// it gone through for each.
    private mutating func closeRanks() {
        while let first = line.first, waiting[first.id] != first.number { line.removeFirst() }
        guard line.count > 2 * waiting.count + 16 else { return }
        line.removeAll { waiting[$0.id] != $0.number }
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
