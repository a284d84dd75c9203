import LibC

/// The hash function MD5 (RFC 1321), for the login to old PostgreSQL servers.
enum MD5Hasher {
    /// The hash of bytes in hexadecimal digits.
    static func hexDigest(of bytes: [UInt8]) -> String {
        digest(of: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
