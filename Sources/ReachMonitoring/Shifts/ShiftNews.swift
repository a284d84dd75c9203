/// News about a target's usual round trips and losses. They change no health.
public enum ShiftNews: Sendable, Hashable {
    /// The round-trip level changed.
    case level(LevelShift)
    /// The loss rate changed.
    case loss(LossShift)
    /// The round-trip levels of several targets changed together.
    case common(CommonShift)

    /// What changed, and how. The raw values are a contract: JSON objects and the history have them.
    public enum Change: String, Sendable, Hashable, CaseIterable {
        case latencyRose = "latency_rose"
        case latencyFell = "latency_fell"
        /// The level is again that from before.
        case latencyBack = "latency_back"
        case lossRose = "loss_rose"
        case lossFell = "loss_fell"
        /// The loss rate is again that from before.
        case lossBack = "loss_back"

        /// Whether it is a change of the round-trip level.
        package var isOfLevel: Bool {
            switch self {
            case .latencyRose, .latencyFell, .latencyBack: true
            case .lossRose, .lossFell, .lossBack: false
            }
        }

        /// Whether it is a rise: something became worse.
        package var isProblem: Bool { self == .latencyRose || self == .lossRose }

        /// Whether the level or rate is again that from before.
        var isReturn: Bool { self == .latencyBack || self == .lossBack }
    }

    /// What changed, and how.
    public var change: Change {
        switch self {
        case .level(let shift): shift.ends != nil ? .latencyBack : shift.isRise ? .latencyRose : .latencyFell
        case .loss(let shift): shift.ends != nil ? .lossBack : shift.isRise ? .lossRose : .lossFell
        case .common(let shift): shift.isReturn ? .latencyBack : shift.isRise ? .latencyRose : .latencyFell
        }
    }

    /// When it began, since the start of the program.
    public var began: Duration {
        switch self {
        case .level(let shift): shift.began
        case .loss(let shift): shift.began
        case .common(let shift): shift.cause.since
        }
    }

    /// How long the shift lasted that this change ends; nil for another change.
    public var ends: Duration? {
        switch self {
        case .level(let shift): shift.ends
        case .loss(let shift): shift.ends
        case .common: nil
        }
    }
}

/// Changes of the round-trip level that began together at targets that have something in common.
public struct CommonShift: Sendable, Hashable {
    /// What they have in common. Its numbers are of targets with such a change.
    public let cause: CommonCause
    /// Whether the levels rose.
    public let isRise: Bool
    /// Whether they are again those from before.
    public let isReturn: Bool

    package init(_ cause: CommonCause, isRise: Bool, isReturn: Bool) {
        (self.cause, self.isRise, self.isReturn) = (cause, isRise, isReturn)
    }
}
