/// Hash functions whose results are the same in every process, on every machine and in every version of the program, unlike
/// those of Swift's `Hasher`.
enum StableHash {
    /// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/).
    static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The first number of SplitMix64 with a seed (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
    /// OOPSLA 2014). Every bit of the seed changes about half of the result.
    static func splitMix64(_ seed: UInt64) -> UInt64 {
        var generator = SplitMix(seed: seed)
        return generator.next()
    }
}
