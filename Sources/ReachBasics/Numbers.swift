extension Int64 {
    /// The quotient, rounded down also for negative numbers, unlike that of `/`.
    ///
    /// - Precondition: The divisor is positive.
    @inlinable package func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``floorDivided(by:)``, which is never negative.
    @inlinable package func floorRemainder(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}

extension BinaryInteger {
    /// The digits, with leading zeros up to a number of digits.
    ///
    /// - Precondition: The number is not negative.
    package func digits(atLeast count: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(0, count - digits.count)) + digits
    }
}

/// Hash functions whose results are the same in every process, on every machine and in every version of the program, unlike
/// those of Swift's `Hasher`.
package enum StableHash {
    /// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
    package static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// FNV-1a with 32 bits.
    package static func fnv1a32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// The first number of SplitMix64 with a seed (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
    /// OOPSLA 2014). Every bit of the seed changes about half of the result.
    package static func splitMix64(_ seed: UInt64) -> UInt64 {
        var generator = SplitMix(seed: seed)
        return generator.next()
    }
}

/// A pseudorandom generator with a seed (Steele, Lea, Flood: SplitMix64), so that a schedule is the same in every run
/// of a test.
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
