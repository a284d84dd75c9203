/// A lasting change of a target's round-trip level that is large enough to report: "latency rose from 12 to 38 ms at
/// 14:03".
public struct LevelShift: Sendable, Hashable {
    /// The level before the change.
    public let before: Duration
    /// The level after it, of the replies so far.
    public let after: Duration
    /// When the level began to change: the time of the first reply of the new level. A ramp begins where it left the
    /// level before.
    public let began: Duration
    /// When the change became certain.
    public let found: Duration
    /// How long the shift lasted that this change ends: "back to 12 ms after 21m". Nil if the level does not return.
    public let ends: Duration?
    /// The usual level for this hour of the day, such as "usual for 09:00: 14 ms". Nil before a day of history.
    public let usual: Duration?
    /// The hop at which another router has answered since about the time when the level began to change; nil without one.
    public package(set) var hop: Int?
    /// The other targets whose level changed at the same time, and what they have in common with this one, such as
    /// "9 others: 10.1.0.1"; nil if nothing was found.
    package internal(set) var others: String?

    /// Creates a change.
    package init(
        before: Duration,
        after: Duration,
        began: Duration,
        found: Duration,
        ends: Duration? = nil,
        usual: Duration? = nil,
        isCorrection: Bool = false
    ) {
        (self.before, self.after, self.began, self.found) = (before, after, began, found)
        (self.ends, self.usual, self.isCorrection) = (ends, usual, isCorrection)
    }

    /// Whether it is the last change once more, which began at the same time, with the level that has come to rest since.
    public let isCorrection: Bool

    /// Whether the level rose.
    public var isRise: Bool { after > before }
}

/// A lasting change of a target's loss rate: "loss rose from 0 to 12 % at 14:03".
public struct LossShift: Sendable, Hashable {
    /// The share of lost probes before the change, 0…1.
    public let before: Double
    /// The share after it, of the probes so far.
    public let after: Double
    /// When the first probe after the change ended. It is computed from the mean interval of the probes.
    public let began: Duration
    /// When the change became certain.
    public let found: Duration
    /// How long the rise lasted that this change ends: "back to 0 % after 21m". Nil if the rate does not return.
    public internal(set) var ends: Duration?

    /// The rate that the target had before it rose, and when that was; nil while the rate is as before.
    private var origin: (rate: Double, began: Duration)? {
        originRate.flatMap { rate in originBegan.map { (rate, $0) } }
    }
    private var originRate: Double?
    private var originBegan: Duration?

    /// Creates a change.
    package init(before: Double, after: Double, began: Duration, found: Duration, ends: Duration? = nil) {
        (self.before, self.after, self.began, self.found, self.ends) = (before, after, began, found, ends)
        if after > before { (originRate, originBegan) = (before, began) }
    }

    /// The change with how long the rate was higher, if it is again that from before the first rise.
    ///
    /// - Parameter last: the change before.
    func following(_ last: LossShift?, under settings: ShiftSettings) -> LossShift {
        guard let origin = last?.origin else { return self }
        var shift = self
        if isRise || settings.isLarge(fromLoss: Float(origin.rate), to: Float(after)) {
            (shift.originRate, shift.originBegan) = (origin.rate, origin.began)
        } else {
            shift.ends = max(.zero, began - origin.began)
        }
        return shift
    }

    /// Whether the rate rose.
    public var isRise: Bool { after > before }
}
