import Monitoring

/// A target that is asked, and how far that has come. Confined to the event loop; a class, since every probe changes it
/// and a target is large to copy.
final class Watch {
    /// Tells this watching of the target from earlier ones.
    private(set) var number: Int
    private(set) var target: Target
    private(set) var place: Place
    /// How many probes were made.
    private var sequence = 0
    /// How many of them have not ended.
    var inFlight = 0
    /// Whether it was due while a probe was in flight, and has to be asked when that one ends.
    var isOwedProbe = false
    /// How many probes in a row were answered.
    private var replies = 0
    /// So many replies in a row, and no more than make a target be up, are news.
    private static let news = 10

    init(number: Int, target: Target) {
        self.number = number
        self.target = target
        place = Place(of: target)
    }

    /// Goes on by other settings.
    func update(to target: Target) {
        self.target = target
        place = Place(of: target)
    }

    /// Answers that are on their way are nobody's from now on; the probes are counted on.
    func restart(as number: Int) {
        self.number = number
        inFlight = 0
        isOwedProbe = false
    }

    /// Counts the next probe, and describes it.
    func nextProbe(of id: Target.ID, at time: Duration) -> Probe {
        sequence += 1
        inFlight += 1
        isOwedProbe = false
        return Probe(
            target: id,
            watch: number,
            sequence: sequence,
            question: target.question,
            family: target.askedFamily,
            source: target.source,
            timeout: target.timeout,
            made: time,
            address: place.address
        )
    }

    /// Counts the end of a probe; whether it is no more than another reply after many, which nobody waits for.
    func isRoutine(_ outcome: Outcome) -> Bool {
        guard case .reply = outcome else {
            replies = 0
            return false
        }
        replies += 1
        return replies > max(Self.news, target.thresholds.rise)
    }
}
