/// The pace of a watched path: all hops at once, and then one probe for each hop and second.
struct PathWatch: Sendable {
    /// The last hop that is probed at once. Those behind it follow when hops before them answered.
    static let firstRound = 30

    let serial: UInt32
    /// The number of views that show the path.
    var views = 1
    /// The number of flows.
    var flows: Int
    /// Whether the path MTU is searched.
    var searchesMTU: Bool
    /// The number of rounds after which no probe is sent; nil for any.
    var rounds: Int?
    /// A probe that waits for the budget; that of the MTU has no hop.
    struct Waiting: Sendable, Hashable {
        let hop: Int
        let flow: Int
    }

    /// The probes that wait for the budget.
    var waiting: Set<Waiting> = []
    /// Whether the next round waits until all probes of this one are sent.
    private(set) var isHeld = false
    private(set) var round = 0
    private var hop = 0
    private var roundStart: Duration

    init(serial: UInt32, flows: Int, searchesMTU: Bool, rounds: Int? = nil, at time: Duration) {
        self.rounds = rounds
        self.serial = serial
        self.flows = 1
        self.searchesMTU = searchesMTU
        roundStart = time
        addFlows(flows)
    }

    /// Probes at least this many flows, at most 16.
    mutating func addFlows(_ count: Int) { flows = max(flows, min(count, 16)) }

    /// Whether no further probe is sent.
    var isComplete: Bool { rounds.map { round >= $0 } ?? false }

    /// The flow that is probed in this round.
    var flow: Int { round % flows }

    /// Holds the next of a limited number of rounds until all probes of the last one are sent, so that each round has all of
    /// them. Returns whether it is held. Rounds without a limit skip what still waits.
    mutating func hold() -> Bool {
        isHeld = rounds != nil && hop == 0 && !waiting.isEmpty
        return isHeld
    }

    /// Advances to the next hop. Returns it, whether a round is complete, and when to continue. The hop is nil if the round
    /// has passed the limit, which falls when the destination answers.
    mutating func advance(
        limit: Int,
        spacing: Duration,
        at time: Duration
    ) -> (hop: Int?, isRoundComplete: Bool, next: Duration) {
        let limit = max(1, limit)
        hop += 1
        let isRoundComplete = hop >= limit
        let current = hop <= limit ? hop : nil
        guard isRoundComplete else {
            let step = round == 0 ? spacing : Duration.seconds(1) / limit
            return (current, false, max(roundStart + step * hop, time + spacing / 2))
        }
        hop = 0
        round += 1
        // After a stall, no round is made up for.
        roundStart = max(roundStart + .seconds(1), time + (round == 1 ? .zero : Duration.seconds(1) / (2 * limit)))
        return (current, true, roundStart)
    }
}
