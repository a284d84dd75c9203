/// The newest changes of round-trip levels, until it is known whether they have something in common.
///
/// Targets behind one hop change at one moment, and each change becomes certain some replies later.
struct RecentShifts: Sendable {
    /// A change of one target.
    struct Entry: Sendable, Hashable {
        let target: Target.ID
        let began: Duration
        let isRise: Bool
    }

    private(set) var entries: [Entry] = []
    /// When the changes are compared; nil without any.
    private(set) var deadline: Duration?

    /// A change becomes certain within these many replies of others of the same moment. Five is the median, ten are usual.
    static let replies = 10
    static let (shortestWait, longestWait) = (Duration.seconds(5), Duration.seconds(300))
    /// The fewest changes that can have something in common.
    static let fewest = 3
    /// The number of changes that are compared at most.
    static let capacity = 20_000

    /// Adds a change. Returns to a level from before are compared too: the end of a common change is one.
    mutating func add(_ shift: LevelShift, of target: Target.ID, interval: Duration) {
        guard entries.count < Self.capacity else { return }
        entries.removeAll { $0.target == target }
        entries.append(Entry(target: target, began: shift.began, isRise: shift.isRise))
        let wait = min(max(interval * Self.replies, Self.shortestWait), Self.longestWait)
        // From the first: while changes go on, they are compared from time to time.
        deadline = min(deadline ?? .seconds(Int64.max), shift.found + wait)
    }

    mutating func remove(_ targets: [Target.ID]) {
        guard !entries.isEmpty else { return }
        let removed = Set(targets)
        entries.removeAll { removed.contains($0.target) }
        if entries.isEmpty { deadline = nil }
    }

    /// Removes and returns the changes whose comparison is due: rises and falls apart, each if there are enough.
    mutating func takeDue(at now: Duration) -> [[Entry]] {
        guard let due = deadline, due <= now else { return [] }
        defer { (entries, deadline) = ([], nil) }
        return [true, false].map { isRise in entries.filter { $0.isRise == isRise } }
            .filter { $0.count >= Self.fewest }
    }
}
