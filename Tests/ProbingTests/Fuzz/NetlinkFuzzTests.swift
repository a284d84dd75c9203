import NIOCore
import Testing

@testable import Probing

struct NetlinkFuzzTests {
    /// A message of this type, in host byte order, with `count` bytes after its header.
    private static func message(_ type: UInt16, _ count: Int, flags: UInt32 = 0) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(16 + count), endianness: .host)
        buffer.writeInteger(type, endianness: .host)
        buffer.writeRepeatingByte(0, count: 10 + count)
        if count >= 12 { buffer.setInteger(flags, at: 16 + 8, endianness: .host) }
        return Array(buffer.readableBytesView)
    }

    @Test func `messages of the kernel are parsed safely, and malformed ones count as every subject`() async {
        let single = [16, 17, 20, 21, 24, 25].map { Self.message($0, 12) }
        let odd = [Self.message(3, 0), Self.message(2, 20), Self.message(24, 12, flags: 0x200), Self.message(20, 5)]
        let fuzz = Fuzz(name: "netlink", corpus: single + odd + [Array(single.joined()), single[0] + odd[0]])
        await fuzz.run(often: ["1", "2", "4", "7", "0"]) { input in
            let news = NetworkMessages(reading: input.buffer())
            try hold(news.isSubset(of: .anything), "\(news)")
            if (1..<16).contains(input.bytes.count) { try hold(news == .anything, "too short, and \(news)") }
            return "\(news.rawValue)"
        }
    }
}
