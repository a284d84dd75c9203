/// Divides the hops of paths among the sides.
///
/// The first hop is the user's network, and so are private addresses behind it. The provider begins with the first other
/// address. Where it ends is known by the autonomous systems: the border is where the system changes. Without a file of
/// them, the hops that the paths to different networks share are the provider's, at most.
struct HopSides: Sendable {
    /// The autonomous systems; nil without a file.
    var systems: AutonomousSystems?
    /// The hops that are on all known paths; nil if there are too few paths to compare.
    var shared: Set<String>?
    /// The addresses of this machine.
    var own: [LocalAddress] = []

    /// Returns the side of each hop; nil for one that does not answer, or whose side is unknown.
    func sides(of hops: [String?]) -> [Side?] {
        var side = Side.network
        var provider: UInt32?
        return hops.enumerated().map { index, hop in
            guard let hop else { return nil }
            switch AddressScope(hop) {
            case .sharedByProvider: side = max(side, .provider)
            case .internet where index > 0:
                guard let found = sideOnInternet(of: hop, provider: &provider) else {
                    side = max(side, .provider)
                    return side == .farSide ? .farSide : nil
                }
                side = max(side, found)
            default: break
            }
            return side
        }
    }

    /// Whether an address is one of this machine.
    func isOwn(_ address: String) -> Bool {
        guard let bytes = IPAddressText.bytes(withoutZone: address) else { return false }
        return own.contains { $0.isSame(as: bytes) }
    }

    private func sideOnInternet(of hop: String, provider: inout UInt32?) -> Side? {
        guard let systems else { return shared.map { $0.contains(hop) ? .provider : .farSide } }
        guard let number = systems.system(of: hop)?.number else { return .provider }
        provider = provider ?? number
        return number == provider ? .provider : .farSide
    }

    /// Returns the hops that all paths have in common. They are comparable only if they lead to different networks.
    static func shared(by paths: [[String?]]) -> Set<String>? {
        guard paths.count > 1, let first = paths.first else { return nil }
        return paths.dropFirst().reduce(into: Set(first.compactMap(\.self))) { shared, path in
            shared.formIntersection(path.compactMap(\.self))
        }
    }
}

/// How far the packets of a trace came during an outage.
struct TraceReach: Sendable, Hashable {
    /// A router, and its number on the path.
    struct Hop: Sendable, Hashable {
        let number: Int
        let address: String
    }

    /// The last hop that answered; nil if none did.
    var last: Hop?
    /// Its side; nil if that is unknown.
    var lastSide: Side?
    /// The next known hop behind it, by the path before the outage; nil if none is known.
    var next: String?
    /// The side of that hop; nil if it is unknown.
    var nextSide: Side?
    /// Whether that hop is directly behind the last one.
    var isAdjacent = false

    /// Creates the reach of a trace of which no hop answered.
    init() {}

    /// Creates the reach of a trace; nil if it says nothing about the way: it reaches the target, or its end is unknown.
    init?(_ path: TracedPath, _ hopSides: HopSides) {
        let hops = path.before.isEmpty ? path.hops : path.before
        let number: Int
        switch path.end {
        case .reached, .reachedElsewhere, .refused, .limited, .notSent: return nil
        case .nothing: number = 0
        // This machine reports that the next host does not answer.
        case .unreachable(_, _, let address) where hopSides.isOwn(address): number = 0
        case .silent(let hop, let address, _), .unreachable(_, let hop, let address):
            number = hop
            last = Hop(number: hop, address: address)
        case .loop(let hop, let addresses):
            number = hop
            last = addresses.first.map { Hop(number: hop, address: $0) }
        }
        var known = hops
        while known.count < number { known.append(nil) }
        if let last { known[number - 1] = last.address }
        let sides = hopSides.sides(of: known)
        if number > 0 { lastSide = sides[number - 1] }
        let rest = path.before.isEmpty ? known.count..<known.count : number..<known.count
        guard let found = rest.first(where: { known[$0] != nil }) else { return }
        (next, nextSide, isAdjacent) = (known[found], sides[found], found == number)
    }

    /// The sides at which the packets are lost, by this trace alone; nil if it does not say.
    var sides: Sides? {
        if last == nil, nextSide == nil { return nil }
        let nearest = last == nil ? .network : lastSide ?? .network
        guard let nextSide else { return Sides(nearest, through: .farSide) }
        return isAdjacent ? Sides(nextSide) : Sides(nearest, through: nextSide)
    }

    /// Whether a trace came farther than another one.
    func isFarther(than other: TraceReach) -> Bool { (last?.number ?? 0) > (other.last?.number ?? 0) }
}
