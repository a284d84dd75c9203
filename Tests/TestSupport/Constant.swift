/// A generator that has only one number, so that a random choice is the test's.
public struct Constant: RandomNumberGenerator, Sendable {
    private let number: UInt64

    /// A choice near the beginning of what is chosen from.
    public static let low = Constant(number: 1 << 32)
    /// A choice at the end of what is chosen from.
    public static let high = Constant(number: .max)

    /// The number.
    public func next() -> UInt64 { number }
}
