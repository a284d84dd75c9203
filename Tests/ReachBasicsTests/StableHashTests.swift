import ReachBasics
import Testing

struct StableHashTests {
    /// The vectors that are published with FNV (http://www.isthe.com/chongo/src/fnv/test_fnv.c).
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)]
    )
    func `FNV-1a has the published results`(text: String, hash: UInt64) {
        #expect(StableHash.fnv1a(text.utf8) == hash)
    }

    @Test(arguments: [("", 0x811C_9DC5), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)] as [(String, UInt32)])
    func `FNV-1a with 32 bits has the published results`(text: String, hash: UInt32) {
        #expect(StableHash.fnv1a32(text.utf8) == hash)
    }

    /// The first numbers of the reference implementation (https://prng.di.unimi.it/splitmix64.c): its state grows by one
    /// constant with each number.
    @Test(
        arguments: [
            (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
            (1_234_567, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]),
        ] as [(UInt64, [UInt64])]
    )
    func `SplitMix64 has the published results`(seed: UInt64, numbers: [UInt64]) {
        let results = numbers.indices.map { StableHash.splitMix64(seed &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }
        #expect(results == numbers)
    }
}
