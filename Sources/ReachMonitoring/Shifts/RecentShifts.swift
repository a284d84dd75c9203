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

    private var entries: [Target.ID: Entry] = [:]
    /// When the changes are compared; nil without any.
    private(set) var deadline: Duration?
    /// The number of causes that were named.
    var named = 0

    /// A change becomes certain within these many replies of others of the same moment. Five is the median, ten are usual.
    private static let replies = 10
    private static let (shortestWait, longestWait) = (Duration.seconds(5), Duration.seconds(300))
    /// The fewest changes that can have something in common.
    static let fewest = 3

    /// Adds a change. Returns to a level from before are compared too: the end of a common change is one.
    mutating func add(_ shift: LevelShift, of target: Target.ID, interval: Duration) {
        entries[target] = Entry(target: target, began: shift.began, isRise: shift.isRise)
        let wait = min(max(interval * Self.replies, Self.shortestWait), Self.longestWait)
        // From the first: while changes go on, they are compared from time to time.
        deadline = min(deadline ?? .seconds(Int64.max), shift.found + wait)
    }

    mutating func remove(_ targets: [Target.ID]) {
        for target in targets { entries[target] = nil }
        if entries.isEmpty { deadline = nil }
    }

    /// Removes and returns the changes whose comparison is due, in the order of their times: rises and falls apart, each if
    /// there are enough.
    mutating func takeDue(at now: Duration) -> [[Entry]] {
        guard let due = deadline, due <= now else { return [] }
        let sorted = entries.values.sorted { ($0.began, $0.target) < ($1.began, $1.target) }
        (entries, deadline) = ([:], nil)
        return [true, false].map { isRise in sorted.filter { $0.isRise == isRise } }
            .filter { $0.count >= Self.fewest }
    }
}
