/// How long to wait before something is tried again: a random time below a limit that doubles with every try, so that
/// those who were cut off together do not come back together ("full jitter": Marc Brooker, "Exponential Backoff And
/// Jitter", AWS Architecture Blog, 2015).
public struct Backoff: Sendable, Hashable {
    /// The limit of the first pause.
    public let base: Duration
    /// The limit that no pause exceeds.
    public let cap: Duration
    /// How many pauses were taken since the last success.
    public private(set) var tries = 0

    /// A backoff before its first pause, or after so many; half a second at first and thirty at last unless told otherwise.
    public init(base: Duration = .milliseconds(500), cap: Duration = .seconds(30), tries: Int = 0) {
        self.tries = tries
        self.base = base
        self.cap = cap
    }

    /// The limit of the next pause: base · 2^tries, but at most the cap.
    public var limit: Duration {
        // Thirty doublings of the smallest base are over any cap; more could overflow.
        let doubled = base * (1 << min(tries, 30))
        return min(doubled, cap)
    }

    /// The next pause, 0…limit.
    public mutating func pause(using generator: inout some RandomNumberGenerator) -> Duration {
        pause(atMost: cap, using: &generator)
    }

    /// The next pause, below another limit where that is shorter.
    package mutating func pause(
        atMost longest: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let pause = Int64.random(in: 0...max(0, min(limit, longest).nanoseconds), using: &generator)
        tries += 1
        return .nanoseconds(pause)
    }

    /// The next pause, but not shorter than the other side asks for, up to the cap: nobody else decides how long we wait.
    public mutating func pause(
        atLeast shortest: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        max(pause(using: &generator), min(shortest, cap))
    }

    /// A try succeeded: the next pause is short again.
    public mutating func reset() {
        tries = 0
    }
}
