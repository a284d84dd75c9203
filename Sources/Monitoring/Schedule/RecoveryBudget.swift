/// Limits the additional probes of targets that are down.
///
/// The rule is the same for each target: while the additional rates of all targets exceed the limit together, each is
/// halved, and halved again. Each target keeps the rate of its own `interval`.
struct RecoveryBudget: Sendable, Hashable {
    /// The most additional probes in a second.
    static let limit = 1_000

    /// The additional rates of all targets before they are halved, in millionths of a probe a second.
    private(set) var demand = 0
    /// The number of times that the additional rates are halved now.
    private(set) var halvings: UInt8 = 0

    private static let limitRate = limit * 1_000_000

    /// Adds a target.
    ///
    /// - Returns: whether the rates of the other targets must be reduced.
    mutating func add(_ rate: Int) -> Bool {
        demand += rate
        let before = halvings
        while demand >> Int(halvings) > Self.limitRate { halvings += 1 }
        return halvings != before
    }

    /// Removes a target. The limit is raised only when a quarter is free, so that one target that comes and goes does not
    /// change the pace of all.
    mutating func remove(_ rate: Int) {
        demand -= rate
        while halvings > 0, demand >> Int(halvings - 1) <= Self.limitRate / 4 * 3 { halvings -= 1 }
    }
}
