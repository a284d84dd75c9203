import Monitoring

/// Which lane of an engine asks which target: a lane is an event loop, with its targets. It follows from the target alone, and
/// so nobody has to remember it.
///
/// The first asks what takes no descriptor for a probe, echo requests above all: it sends and reads in ticks of its own,
/// which no handshake of a connection holds up. Connections are the others', in blocks of targets that follow one
/// another: a few share the ticks of one loop, and thousands are many blocks.
struct Division: Sendable, Hashable {
    /// Each has names to look up, certificates to trust and descriptors to share out by itself: what they have in common is
    /// divided among so many without becoming too little for one.
    static let most = 4
    /// How many targets that follow one another are asked by the same lane.
    static let block = 64

    /// How many lanes there are.
    let count: Int

    /// - Parameters:
    ///   - cores: how many event loops can run at the same time.
    ///   - descriptors: how many this process may have open. If they may ever be short, connections stand in one line for
    ///     them: of several lines, one might get all.
    init(cores: Int, descriptors: DescriptorLimit = .current) {
        let most = descriptors.soft < DescriptorLimit.plenty ? 2 : Self.most
        count = min(max(cores, 1), most)
    }

    /// The number of the lane that asks a target.
    func lane(of assignment: ProbeRequest.Assignment) -> Int {
        guard count > 1, assignment.target.question.method.opensDescriptors else { return 0 }
        let block = UInt64(truncatingIfNeeded: assignment.id.rawValue / Self.block)
        // Mixed, since identities may begin at a round number for everybody who asks (Knuth, TAOCP 3, 6.4: Fibonacci hashing).
        return 1 + Int(((block &* 0x9E37_79B9_7F4A_7C15) >> 32) % UInt64(count - 1))
    }
}

/// What one lane knows of the others: which targets are its own, and whom to tell what is of interest to all.
struct Share: Sendable {
    /// The number of this lane, counted from zero.
    let number: Int
    let division: Division
    /// What all lanes have told of this process not having run.
    let stalls: StallLog
    /// Tells the others, or the first if this is another, what is noticed of this machine's network and of hosts that answer again.
    let relay: @Sendable (LinkWatch.Word) -> Void

    /// Whether it listens for news of links itself.
    var isFirst: Bool { number == 0 }

    /// Whether a target is asked here.
    func asks(_ assignment: ProbeRequest.Assignment) -> Bool {
        division.lane(of: assignment) == number
    }
}
