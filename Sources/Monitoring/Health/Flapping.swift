/// Whether the health of a target changes too often, by the formula of Nagios ("Detection and Handling of State
/// Flapping", `base/flapping.c`) over the last 21 verdicts or ten minutes, whichever is longer.
///
/// Twenty steps lie between 21 verdicts. A step takes thirty seconds at least, so where verdicts come faster, a step has
/// several of them, and maybe several changes. Each change weighs the more the newer it is: at 30 % of what twenty changes
/// weigh a target begins to flap, at 20 % it ceases to.
struct Flapping: Sendable, Hashable {
    /// How many steps the formula looks back.
    static let steps = 20
    /// How long a step is at least.
    static let shortestStep = Duration.seconds(30)

    /// What 100 % is: twenty changes that weigh one each, in units of a change's weight; see ``record(isChange:at:)``.
    private static let whole = 76 * steps

    private struct Change: Sendable, Hashable {
        /// In nanoseconds.
        let time: Int64
        /// Which verdict it was, counted as ``verdicts`` counts.
        let verdict: Int
    }

    private(set) var isFlapping = false
    /// The changes of health that weigh something, at most twenty, the newest last.
    private var changes: [Change] = []
    /// How many verdicts there were.
    private var verdicts = 0
    /// The weights of the changes together, at the last verdict.
    private var weight = 0

    /// Whether there is nothing to remember.
    var isEmpty: Bool { changes.isEmpty && !isFlapping }

    /// The share of the possible changes that took place, 0…1, newer ones weighing more: 0.75 for the oldest to 1.25
    /// for the newest.
    var share: Double {
        Double(weight) / Double(Self.whole)
    }

    /// Takes the verdict on a finished probe into account.
    ///
    /// - Parameter isChange: whether the health is another one than after the probe before.
    /// - Returns: whether the target flaps now, where that has changed.
    mutating func record(isChange: Bool, at time: Duration) -> Bool? {
        verdicts += 1
        if isChange { changes.append(Change(time: time.nanoseconds, verdict: verdicts)) }
        // Of the changes in one step, each counts as a step older than the next.
        let ages = changes.reversed().enumerated().map { max($0, age(of: $1, at: time)) }.prefix { $0 < Self.steps }
        changes.removeFirst(changes.count - ages.count)
        // Nagios's 1.25 − age · 0.5 / 19 is (95 − 2 · age) / 76: whole numbers, so that the limits are exact.
        weight = ages.reduce(0) { $0 + 95 - 2 * $1 }
        let before = isFlapping
        // 30 % and 20 % of the whole.
        isFlapping = before ? 10 * weight > 2 * Self.whole : 10 * weight >= 3 * Self.whole
        return isFlapping == before ? nil : isFlapping
    }

    /// How many steps ago a change was: as many as verdicts, but no more than fit into the time since.
    private func age(of change: Change, at time: Duration) -> Int {
        min(verdicts - change.verdict, Int((time.nanoseconds - change.time) / Self.shortestStep.nanoseconds))
    }
}
