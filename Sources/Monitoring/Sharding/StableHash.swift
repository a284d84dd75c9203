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
        var number = seed &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
