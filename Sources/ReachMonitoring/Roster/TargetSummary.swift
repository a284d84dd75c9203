/// A 16-byte summary of a target's state. The screen reads thousands of these per frame.
public struct TargetSummary: Sendable, Hashable {
    /// The health of the target.
    public let health: Health
    private let flags: Flags
    /// Nanoseconds of the newest reply's round trip; negative for none.
    private let nanoseconds: Int64

    private struct Flags: OptionSet, Hashable, Sendable {
        let rawValue: UInt16

        static let paused = Self(rawValue: 1)
        static let blocked = Self(rawValue: 2)
        static let faulty = Self(rawValue: 4)
        static let flapping = Self(rawValue: 8)
        static let acknowledged = Self(rawValue: 16)
        static let disputed = Self(rawValue: 32)
        static let inMaintenance = Self(rawValue: 64)
        static let slow = Self(rawValue: 128)
        static let explained = Self(rawValue: 256)
    }

    init(_ state: borrowing TargetState) {
        health = state.judge.health
        let (isPaused, isBlocked) = (state.isPaused, state.isBlocked)
        let isShown = !isPaused && !isBlocked
        var flags: Flags = []
        if isPaused { flags.insert(.paused) }
        if isBlocked { flags.insert(.blocked) }
        if state.fault != nil && state.isProbed { flags.insert(.faulty) }
        if state.isFlapping { flags.insert(.flapping) }
        if isShown, state.isAcknowledged { flags.insert(.acknowledged) }
        if isShown, state.isDisputed { flags.insert(.disputed) }
        if isShown, state.isInMaintenance { flags.insert(.inMaintenance) }
        if state.isDegradedBySlowness { flags.insert(.slow) }
        if isShown, state.commonCause != nil { flags.insert(.explained) }
        self.flags = flags
        nanoseconds = state.lastReply?.nanoseconds ?? -1
    }

    /// Whether the user paused the target.
    public var isPaused: Bool { flags.contains(.paused) }

    /// Whether a dependency blocks the target.
    public var isBlocked: Bool { flags.contains(.blocked) }

    /// Whether the target should be probed, but has a fault.
    public var isFaulty: Bool { flags.contains(.faulty) }

    /// Whether the health changes too often.
    public var isFlapping: Bool { flags.contains(.flapping) }

    /// Whether the user has noted that the failure is known; false for a target that is paused or blocked.
    package var isAcknowledged: Bool { flags.contains(.acknowledged) }

    /// Whether the vantage points disagree whether the target is reachable; false for a target that is paused or blocked.
    package var isDisputed: Bool { flags.contains(.disputed) }

    /// Whether there is planned work at the target; false for a target that is paused or blocked.
    package var isInMaintenance: Bool { flags.contains(.inMaintenance) }

    /// Whether the target is degraded since its replies are slow, and for no other cause.
    package var isSlow: Bool { flags.contains(.slow) }

    /// Whether a common cause explains the outage; false for a target that is paused or blocked.
    package var isExplained: Bool { flags.contains(.explained) }

    /// The round trip of the newest reply; nil before the first, or for a method that sends no packet.
    public var roundTrip: Duration? { nanoseconds < 0 ? nil : .nanoseconds(nanoseconds) }

    /// Whether the target is paused or blocked.
    public var isPausedOrBlocked: Bool { isPaused || isBlocked }

    /// Whether a failure of the target is expected: acknowledged, or during planned work.
    package var isFailureExpected: Bool { isAcknowledged || isInMaintenance }

    /// Whether only the round trip differs.
    func hasSameState(_ other: TargetSummary) -> Bool {
        health == other.health && flags == other.flags
    }
}

/// The numbers of targets by health.
public struct HealthCounts: Sendable, Hashable {
    /// All targets.
    public private(set) var total = 0
    /// Targets that are up, and neither paused nor blocked; likewise for the other healths.
    public private(set) var up = 0
    /// Targets that are degraded.
    public private(set) var degraded = 0
    /// Targets that are degraded since their replies are slow, and for no other cause.
    package private(set) var slow = 0
    /// Targets that are down.
    public private(set) var down = 0
    /// Targets without a verdict yet.
    public private(set) var unknown = 0
    /// Targets that are blocked by a dependency.
    public private(set) var blocked = 0
    /// Targets that the user paused.
    public private(set) var paused = 0
    /// Targets with a fault; they are also counted by their health.
    public private(set) var faulty = 0
    /// Targets that are flapping; they are also counted by their health.
    public private(set) var flapping = 0

    /// Targets whose vantage points disagree; they are also counted by their health.
    package private(set) var disputed = 0
    /// Targets that are acknowledged; they are also counted by their health.
    package private(set) var acknowledged = 0
    /// Targets with planned work; they are also counted by their health.
    package private(set) var inMaintenance = 0
    /// Targets that are down, which is expected: they are acknowledged, or in maintenance.
    package private(set) var expectedDown = 0
    /// Targets that are degraded, which is expected.
    package private(set) var expectedDegraded = 0

    /// Creates zero counts.
    public init() {}

    /// The number of targets that reply.
    public var reachable: Int { up + degraded }

    /// The word for the number of degraded targets.
    package var degradedName: String { slow == degraded ? "slow" : "degraded" }

    /// Counts a target.
    public mutating func add(_ summary: TargetSummary) {
        change(summary, by: 1)
    }

    mutating func remove(_ summary: TargetSummary) {
        change(summary, by: -1)
    }

    private mutating func change(_ summary: TargetSummary, by step: Int) {
        total += step
        if summary.isFaulty { faulty += step }
        if summary.isFlapping { flapping += step }
        if summary.isDisputed { disputed += step }
        if summary.isAcknowledged { acknowledged += step }
        if summary.isInMaintenance { inMaintenance += step }
        if summary.isFailureExpected { countExpected(summary.health, by: step) }
        switch summary.health {
        case _ where summary.isPaused: paused += step
        case _ where summary.isBlocked: blocked += step
        case .up: up += step
        case .degraded:
            degraded += step
            if summary.isSlow { slow += step }
        case .down: down += step
        case .unknown: unknown += step
        }
    }

    private mutating func countExpected(_ health: Health, by step: Int) {
        if health == .down { expectedDown += step }
        if health == .degraded { expectedDegraded += step }
    }
}
