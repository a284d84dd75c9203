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
