import ReachBasics
import ReachSystem

/// The hash function SHA-256 (FIPS 180-4), for the login to PostgreSQL.
struct SHA256Hasher: Sendable {
    static let blockLength = 64

    /// Eight words; no array, since the derivation of a key copies it a million times.
    private var state = SIMD8<UInt32>(
        0x6A09_E667,
        0xBB67_AE85,
        0x3C6E_F372,
        0xA54F_F53A,
        0x510E_527F,
        0x9B05_688C,
        0x1F83_D9AB,
        0x5BE0_CD19
    )
    /// The bytes of an incomplete block.
    private var pending: [UInt8] = []
    private var count = 0

    /// Hashes further bytes.
    mutating func update(_ bytes: [UInt8]) {
        count += bytes.count
        pending += bytes
        var start = 0
        while pending.count - start >= Self.blockLength {
            compress(pending[start..<start + Self.blockLength])
            start += Self.blockLength
        }
        pending.removeFirst(start)
    }

    /// The hash of the bytes so far.
    var digest: [UInt8] {
        var hasher = self
        let zeros = (Self.blockLength + 55 - pending.count) % Self.blockLength
        let length = UInt64(count * 8).inNetworkOrder
        hasher.update([0x80] + [UInt8](repeating: 0, count: zeros) + length)
        return Self.bytes(of: hasher.state)
    }

    /// The bytes of a hash.
    static func bytes(of words: SIMD8<UInt32>) -> [UInt8] {
        words.indices.flatMap { words[$0].inNetworkOrder }
    }

    /// The hash of one block, which the hasher has done, and another hash: 32 bytes and the padding fit into the next block.
    ///
    /// - Parameter words: Memory for 64 words, allocated once.
    func digest(appending hash: SIMD8<UInt32>, _ words: inout [UInt32]) -> SIMD8<UInt32> {
        for index in 0..<8 { words[index] = hash[index] }
        words[8] = 0x8000_0000
        for index in 9..<15 { words[index] = 0 }
        words[15] = UInt32((Self.blockLength + 32) * 8)
        var hasher = self
        hasher.compress(&words)
        return hasher.state
    }

    /// The hash of bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA256Hasher()
        hasher.update(bytes)
        return hasher.digest
    }

    private mutating func compress(_ block: ArraySlice<UInt8>) {
        var words = [UInt32](repeating: 0, count: 64)
        for index in 0..<16 {
            let start = block.startIndex + 4 * index
            words[index] = block[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        compress(&words)
    }

    /// - Parameter words: 16 words of the block, and memory for 48 more.
    private mutating func compress(_ words: inout [UInt32]) {
        for index in 16..<64 {
            let (old, new) = (words[index - 15], words[index - 2])
            let first = old.rotated(7) ^ old.rotated(18) ^ old >> 3
            let second = new.rotated(17) ^ new.rotated(19) ^ new >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let upper = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ upper &+ choice &+ Self.constants[index] &+ words[index]
            let second = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

/// A key for HMAC-SHA-256 (RFC 2104), with the first block of both hashes done.
struct HMACKey: Sendable {
    private var inner = SHA256Hasher()
    private var outer = SHA256Hasher()

    init(_ key: [UInt8]) {
        let short = key.count > SHA256Hasher.blockLength ? SHA256Hasher.digest(of: key) : key
        let block = short + [UInt8](repeating: 0, count: SHA256Hasher.blockLength - short.count)
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
    }

    /// Returns the code of a message.
    func authenticate(_ message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.update(message)
        outer.update(inner.digest)
        return outer.digest
    }

    /// Returns the code of a message that is a code itself.
    ///
    /// - Parameter words: Memory for 64 words.
    func authenticate(_ code: SIMD8<UInt32>, _ words: inout [UInt32]) -> SIMD8<UInt32> {
        outer.digest(appending: inner.digest(appending: code, &words), &words)
    }
}

extension UInt32 {
    /// The word rotated to the right.
    fileprivate func rotated(_ bits: UInt32) -> UInt32 { self &>> bits | self &<< (32 &- bits) }
}

/// The hash function MD5 (RFC 1321), for the login to old PostgreSQL servers.
enum MD5Hasher {
    /// The hash of bytes in hexadecimal digits.
    static func hexDigest(of bytes: [UInt8]) -> String {
        digest(of: bytes).hexadecimal
    }

    static func digest(of bytes: [UInt8]) -> [UInt8] {
        let zeros = (64 + 55 - bytes.count % 64) % 64
        let length = withUnsafeBytes(of: UInt64(bytes.count * 8).littleEndian) { Array($0) }
        let padded = bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + length
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for start in stride(from: 0, to: padded.count, by: 64) {
            let words = (0..<16).map { index in
                padded[(start + 4 * index)..<(start + 4 * index + 4)].reversed().reduce(UInt32(0)) {
                    $0 << 8 | UInt32($1)
                }
            }
            let sum = compressed(state, words)
            for index in state.indices { state[index] &+= sum[index] }
        }
        return state.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }

    private static func compressed(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<64 {
            let (mix, index): (UInt32, Int) =
                switch step / 16 {
                case 0: ((b & c) | (~b & d), step)
                case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                default: (c ^ (b | ~d), (7 * step) % 16)
                }
            let sum = a &+ mix &+ constants[step] &+ words[index]
            let bits = shifts[step / 16][step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << bits | sum >> (32 - bits)))
        }
        return [a, b, c, d]
    }

    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    /// The first 32 bits of the absolute values of the sines of 1…64.
    private static let constants = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }
}
