import Monitoring

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
