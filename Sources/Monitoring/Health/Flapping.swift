/// Whether the health of a target changes too often, by the formula of Nagios ("Detection and Handling of State
/// Flapping", `base/flapping.c`): of the last 21 verdicts, each of the 20 possible changes weighs the more the newer it
/// is; at 30 % of all a target begins to flap, at 20 % it ceases to.
struct Flapping: Sendable, Hashable {
    /// How many changes there may be among the verdicts that count.
    static let changes = 20
    /// The share, 0…1, from which a target flaps.
    static let high = 0.30
    /// The share, 0…1, down to which it goes on.
    static let low = 0.20

    private(set) var isFlapping = false
    /// Which of the last changes took place, one bit each, the newest lowest.
    private var bits: UInt32 = 0
    private var last: Health?

    /// The share of the possible changes that took place, 0…1, newer ones weighing more: 0.75 for the oldest to 1.25
    /// for the newest.
    var share: Double {
        var sum = 0.0
        var left = bits
        while left != 0 {
            let age = left.trailingZeroBitCount
            sum += 1.25 - Double(age) * 0.5 / Double(Self.changes - 1)
            left &= left - 1
        }
        return sum / Double(Self.changes)
    }

    /// Takes the verdict on a finished probe into account; before the first there is none.
    ///
    /// - Returns: whether the target flaps now, where that has changed.
    mutating func record(_ health: Health) -> Bool? {
        guard health != .unknown else { return nil }
        let isChange = last.map { $0 != health } ?? false
        bits = (bits << 1 | (isChange ? 1 : 0)) & (1 << UInt32(Self.changes) - 1)
        last = health
        let (before, share) = (isFlapping, share)
        isFlapping = isFlapping ? share > Self.low : share >= Self.high
        return isFlapping == before ? nil : isFlapping
    }
}
