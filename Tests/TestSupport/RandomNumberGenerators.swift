// The generator with a seed, so that a failure can be reproduced.
@_exported public import ReachBasics

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
