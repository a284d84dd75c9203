/// Where a path ends, and why.
public enum PathEnd: Sendable, Hashable {
    /// No probe was sent.
    case notSent
    /// The destination answers at this hop.
    case reached(hop: Int, address: String)
    /// The destination answers at this hop, from an address that was not asked.
    case reachedElsewhere(hop: Int, address: String)
    /// Another machine refuses for the destination: it forwards the address, or filters for it.
    case refused(hop: Int, address: String)
    /// A router reports that the destination cannot be reached.
    case unreachable(PathAnswer.Obstacle, hop: Int, address: String)
    /// Packets return to a router that they have passed. The addresses are those of one round.
    case loop(hop: Int, addresses: [String])
    /// This router answers, and nothing beyond it. `length` is that of the path before, if it is known.
    case silent(hop: Int, address: String, length: Int?)
    /// This router answers, and it is at the last hop that is probed.
    case limited(hop: Int, address: String)
    /// Not even the first hop answers.
    case nothing

    /// The name in JSON.
    public var kind: String {
        switch self {
        case .notSent: "not_sent"
        case .reached: "reached"
        case .reachedElsewhere: "reached_elsewhere"
        case .refused: "refused"
        case .unreachable: "unreachable"
        case .loop: "loop"
        case .silent: "silent"
        case .limited: "limited"
        case .nothing: "nothing"
        }
    }

    /// Whether packets arrive at the destination.
    public var isReached: Bool {
        switch self {
        case .reached, .reachedElsewhere: true
        case .notSent, .refused, .unreachable, .loop, .silent, .limited, .nothing: false
        }
    }

    /// Whether this is a fault of the path, to be shown in red.
    package var isFault: Bool {
        switch self {
        case .notSent, .reached, .reachedElsewhere, .limited: false
        case .refused, .unreachable, .loop, .silent, .nothing: true
        }
    }

    /// The number of the last hop that counts; nil if no hop answers.
    public var hop: Int? {
        switch self {
        case .reached(let hop, _), .reachedElsewhere(let hop, _), .refused(let hop, _), .unreachable(_, let hop, _),
            .loop(let hop, _), .silent(let hop, _, _), .limited(let hop, _):
            hop
        case .notSent, .nothing: nil
        }
    }

    /// The address at which the path ends; nil if no hop answers.
    public var address: String? {
        switch self {
        case .reached(_, let address), .reachedElsewhere(_, let address), .refused(_, let address),
            .unreachable(_, _, let address), .silent(_, let address, _), .limited(_, let address):
            address
        case .loop(_, let addresses): addresses.first
        case .notSent, .nothing: nil
        }
    }

    /// The end as a sentence without a full stop.
    public var sentence: String {
        switch self {
        case .notSent: "nothing was sent"
        case .reached: "reaches the target"
        case .reachedElsewhere(_, let address): "reaches the target, which answers from \(address)"
        case .refused(let hop, let address): "\(address), hop \(hop), refuses for the target"
        case .unreachable(let obstacle, let hop, let address): "\(address), hop \(hop), reports: \(obstacle.words)"
        case .loop(let hop, let addresses):
            addresses.count < 2
                ? "packets loop at \(addresses.first ?? "an unknown router"), hop \(hop)"
                : "packets loop from hop \(hop): \(addresses.joined(separator: ", ")) and again"
        case .silent(_, let address, _): "\(address) answers, nothing beyond it"
        case .limited(let hop, let address): "\(address) answers at hop \(hop), the last one that is probed (max_hops)"
        case .nothing: "nothing answers, not even the first hop"
        }
    }

    /// The end as part of a longer sentence: "ends after 10.1.0.1, hop 2 of 5".
    public var summary: String {
        switch self {
        case .silent(let hop, let address, let length):
            "ends after \(address), hop \(hop)" + (length.map { $0 > hop ? " of \($0)" : "" } ?? "")
        case .notSent, .reached, .reachedElsewhere, .refused, .unreachable, .loop, .limited, .nothing: sentence
        }
    }
}

extension PathAnswer.Obstacle {
    /// The obstacle in words.
    public var words: String {
        switch self {
        case .networkUnreachable: "network unreachable"
        case .hostUnreachable: "host unreachable"
        case .protocolUnreachable: "protocol unreachable"
        case .prohibited: "prohibited"
        case .other: "unreachable"
        case .refused: "refused"
        }
    }
}

extension PathTrace {
    /// Returns where the path ends by the answers of the newest run, or of the watch.
    public func end(flow: Int = 0) -> PathEnd { end(since: nil, flow: flow) }

    /// Returns where the path ends by the answers of a run that began at `time`.
    func end(since time: Duration?, flow: Int = 0) -> PathEnd {
        let hops = self.hops(flow: flow)
        guard hops.contains(where: { $0.sent > 0 || $0.isShared }) else { return .notSent }
        if let number = destinationHop(flow: flow), let hop = hop(number, flow: flow), isCurrent(hop, since: time),
            let address = hop.source ?? hop.address
        {
            guard case .reached = hop.answer else {
                return .refused(hop: knownReporter(at: number, flow: flow) ?? number, address: address)
            }
            return destination.isAnswered(by: address)
                ? .reached(hop: number, address: address) : .reachedElsewhere(hop: number, address: address)
        }
        if let loop = loop(since: time, flow: flow) {
            let round = (loop.first..<loop.second).compactMap { hop($0, flow: flow)?.observed }
            return .loop(hop: loop.first, addresses: round)
        }
        if let (obstacle, number, address) = obstacle(since: time, flow: flow) {
            return .unreachable(obstacle, hop: number, address: address)
        }
        guard let last = hops.lastIndex(where: { $0.address != nil && isCurrent($0, since: time) }),
            let address = hops[last].observed
        else { return .nothing }
        guard last + 1 < maxHops else { return .limited(hop: last + 1, address: address) }
        return .silent(hop: last + 1, address: address, length: knownLength)
    }

    /// Whether it is too early to say where a watched path ends: hops beyond the last one that answers have no result yet.
    public func isMeasuring(flow: Int = 0) -> Bool {
        guard let watchBegan else { return false }
        let last: Int
        switch end(flow: flow) {
        case .silent(let hop, _, _): last = hop
        case .nothing: last = 0
        case .notSent, .reached, .reachedElsewhere, .refused, .unreachable, .loop, .limited: return false
        }
        let beyond = (last + 1...max(last + 1, probeLimit(flow: flow))).compactMap { hop($0, flow: flow) }
        return beyond.isEmpty || !beyond.allSatisfy { $0.hasResult(since: watchBegan) }
    }

    /// The obstacle that a router reports, and the router's hop: that of the report is often one behind it.
    private func obstacle(since time: Duration?, flow: Int) -> (PathAnswer.Obstacle, Int, String)? {
        for number in 1...maxHops {
            guard let hop = hop(number, flow: flow) else { return nil }
            guard hop.reportsObstacle, isCurrent(hop, since: time), case .unreachable(let obstacle) = hop.answer,
                let source = hop.source
            else { continue }
            return (obstacle, reporter(at: number, flow: flow), source)
        }
        return nil
    }
}

extension PathDestination {
    /// Whether an answer from this address is one of the destination. A scope counts only if both have one.
    func isAnswered(by source: String) -> Bool {
        if address == source { return true }
        let (own, other) = (address.split(separator: "%"), source.split(separator: "%"))
        return own.first == other.first && own.count != other.count
    }
}
