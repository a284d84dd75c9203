/// A change of the round-trip level, as the ``StepDetector`` finds it: of any size, before the settings apply.
public struct LevelStep: Sendable, Hashable {
    /// The level before the change and after it, as natural logarithms of microseconds.
    package let before: Float
    package let after: Float
    /// The number of replies since the change began, at least one: one if it began with the newest reply.
    package let replies: Int
    /// When the first reply of the new level arrived.
    package let began: Duration
}

extension Duration {
    /// A round trip from the natural logarithm of its microseconds.
    init(logMicroseconds level: Float) {
        self = .nanoseconds(Int64((Logarithms.exp(single: level) * 1000).rounded()))
    }

    /// The highest level: 20 h.
    static let mostLogMicroseconds: Float = 25

    /// The natural logarithm of a round trip's microseconds. Round trips below 100 ns count as 100 ns,
    /// those above ``mostLogMicroseconds`` as that.
    var logMicroseconds: Float {
        let (seconds, attoseconds) = components
        let microseconds = Float(seconds) * 1e6 + Float(attoseconds / 1_000_000_000) * 1e-3
        return min(Self.mostLogMicroseconds, Logarithms.log(single: max(0.1, microseconds)))
    }

    /// The time in milliseconds, modulo 2³²: 49 days. Differences of two such times wrap around.
    var wrappingMilliseconds: UInt32 {
        let (seconds, attoseconds) = components
        return UInt32(truncatingIfNeeded: seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
    }
}
