import Monitoring

/// One who wants to know, and the numbers of whom they ask about.
struct ProberWatch: Sendable {
    /// How many targets one watch may have had before its numbers become another's.
    private static let targets = 1 << 32

    let number: Int
    let prober: Prober

    /// The first number that a roster of this watch gives.
    var firstID: Int { number * Self.targets }

    /// Whose watch a target is of.
    static func number(of id: Target.ID) -> Int { id.rawValue / targets }

    /// Has the network asked for something.
    func perform(_ requests: [ProbeRequest]) {
        prober.perform(requests)
    }

    /// Ends the watch: its targets are asked no more, and nothing is told any more.
    func end(asking ids: [Target.ID]) {
        prober.end(number, asking: ids)
    }
}
