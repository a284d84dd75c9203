/// The pauses between retries: random times below a limit that doubles with each try, so that clients that were cut off
/// together do not reconnect together ("full jitter": Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture
/// Blog, 2015).
public struct Backoff: Sendable, Hashable {
    /// The limit of the first pause.
    public let base: Duration
    /// The limit that no pause exceeds.
    public let cap: Duration
    /// The number of pauses since the last success.
    public private(set) var tries = 0

    /// Creates a backoff. By default the limit grows from half a second to thirty seconds.
    public init(base: Duration = .milliseconds(500), cap: Duration = .seconds(30), tries: Int = 0) {
        self.tries = tries
        self.base = base
        self.cap = cap
    }

    /// The limit of the next pause: base · 2^tries, but at most the cap.
    public var limit: Duration {
        // Thirty doublings of the smallest base exceed any cap; more could overflow.
        let doubled = base * (1 << min(tries, 30))
        return min(doubled, cap)
    }

    /// Returns the next pause, 0…limit.
    public mutating func pause(using generator: inout some RandomNumberGenerator) -> Duration {
        pause(atMost: cap, using: &generator)
    }

    /// Returns the next pause, with another limit if that is shorter.
    package mutating func pause(
        atMost longest: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let pause = Int64.random(in: 0...max(0, min(limit, longest).nanoseconds), using: &generator)
        tries += 1
        return .nanoseconds(pause)
    }

    /// Returns the next pause, but at least the time that the peer requests, up to the cap: a peer cannot delay a retry
    /// beyond the cap.
    public mutating func pause(
        atLeast shortest: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        max(pause(using: &generator), min(shortest, cap))
    }

    /// Resets the pauses after a success.
    public mutating func reset() {
        tries = 0
    }
}

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
