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

    /// Bits of a step's count in ``counts``; more changes in one step than they hold are not counted.
    private static let countBits = 3
    private static let most: UInt64 = 1 << countBits - 1
    /// What 100 % is: twenty changes that weigh one each, in units of a change's weight; see ``weight``.
    private static let whole = 76 * steps

    private(set) var isFlapping = false
    /// How many changes of health there were in each step, the newest step lowest.
    private var counts: UInt64 = 0
    /// When the newest step began, in nanoseconds.
    private var stepStart: Int64

    /// No change yet.
    init(at time: Duration) {
        stepStart = time.nanoseconds
    }

    /// Whether there is nothing to remember.
    var isEmpty: Bool { counts == 0 && !isFlapping }

    /// The share of the possible changes that took place, 0…1, newer ones weighing more: 0.75 for the oldest to 1.25
    /// for the newest.
    var share: Double {
        Double(weight) / Double(Self.whole)
    }

    /// The weights of the last twenty changes together. Nagios's 1.25 − age · 0.5 / 19 is (95 − 2 · age) / 76: whole
    /// numbers, so that the limits are exact. Of the changes in one step, each counts as a step older than the next.
    private var weight: Int {
        var (sum, changes) = (0, 0)
        var left = counts
        while left != 0 {
            let step = left.trailingZeroBitCount / Self.countBits
            let shift = UInt64(step * Self.countBits)
            for _ in 0..<(left >> shift & Self.most) {
                let age = max(step, changes)
                guard age < Self.steps else { return sum }
                sum += 95 - 2 * age
                changes += 1
            }
            left &= ~(Self.most << shift)
        }
        return sum
    }

    /// Takes the verdict on a finished probe into account.
    ///
    /// - Parameter isChange: whether the health is another one than after the probe before.
    /// - Returns: whether the target flaps now, where that has changed.
    mutating func record(isChange: Bool, at time: Duration) -> Bool? {
        let elapsed = time.nanoseconds - stepStart
        let step = Self.shortestStep.nanoseconds
        if elapsed >= step {
            counts = counts << UInt64(Self.countBits) & (1 << UInt64(Self.steps * Self.countBits) - 1)
            stepStart = elapsed < 2 * step ? stepStart + step : time.nanoseconds
        }
        if isChange, counts & Self.most < Self.most { counts += 1 }
        let before = isFlapping
        // 30 % and 20 % of the whole.
        isFlapping = before ? 10 * weight > 2 * Self.whole : 10 * weight >= 3 * Self.whole
        return isFlapping == before ? nil : isFlapping
    }
}
