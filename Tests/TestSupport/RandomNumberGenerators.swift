/// A random number generator that returns a constant, so that a test determines random choices.
public struct Constant: RandomNumberGenerator, Sendable {
    private let number: UInt64

    /// Chooses a value near the start of a range.
    public static let low = Constant(number: 1 << 32)
    /// Chooses the last value of a range.
    public static let high = Constant(number: .max)

    /// Returns the constant.
    public func next() -> UInt64 { number }
}

/// A pseudorandom generator with a seed (Steele, Lea, Flood: SplitMix64), so that a failure can be reproduced.
public struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator; the numbers of a seed are the same in every run.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
