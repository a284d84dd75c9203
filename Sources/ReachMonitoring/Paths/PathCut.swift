/// A place behind which no packet passes: where the path to a target that is down ends.
struct PathCut: Sendable, Hashable {
    /// The hop, and its address; zero and nil if not even the first hop answers.
    private let hop: Int
    private let address: String?

    /// Creates the cut at the end of a path.
    init(_ end: PathEnd) {
        (hop, address) = (end.hop ?? 0, end.address)
    }

    /// Whether a path with these hops goes on behind the cut.
    func isPassed(by hops: [String?]) -> Bool {
        hops.count > hop && (hop == 0 || hops[hop - 1] == address)
    }
}

extension Roster {
    /// The time within which several paths that end at one router are one cut, and the most cuts that are remembered.
    private static let cutSpan = Duration.seconds(10)
    private static let maxCuts = 1_000

    /// Asks for a trace of other targets whose known path passes where this one ends. Those that were down already have no
    /// first loss that asks for it, and their paths would stay the ones from before.
    mutating func askForOthers(
        endingAt end: PathEnd,
        since started: Duration,
        at time: Duration,
        into consequences: inout Consequences
    ) {
        guard !end.isReached else { return }
        let cut = PathCut(end)
        // Thousands of targets that go down together end at few routers.
        guard cuts[cut].map({ time - $0 >= Self.cutSpan }) ?? true else { return }
        if cuts.count >= Self.maxCuts { cuts = [:] }
        cuts[cut] = time
        for (position, summary) in zip(states.indices, states.targetSummaries) where summary.health == .down {
            guard let path = states[position].path, path.address != nil, let newest = path.newest,
                path.newestTime < started, cut.isPassed(by: newest.hops), path.asked.map({ $0 < started }) ?? true
            else { continue }
            askForPath(of: position, at: time, into: &consequences)
        }
    }
}
