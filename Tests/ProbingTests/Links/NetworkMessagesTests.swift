import NIOCore
import Testing

@testable import Probing

struct NetworkMessagesTests {
    /// A captured message of the kernel after `lo` was switched on: an address.
    private let address = """
        4c000000140000000000000000000000020880fe01000000080001007f000001080002007f000001070003006c6f0000\
        080008008000000014000600ffffffffffffffff6839090068390900
        """
    /// The same: a route.
    private let route = """
        3c00000018000006000000000000000002200000ff02fe020000000008000f00ff000000080001007f00000108000700\
        7f0000010800040001000000
        """
    /// An interface without its attributes.
    private let link = "200000001000000000000000000000000000040301000000c900010001000000"

    private func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap { position in
            UInt8(String(decoding: digits[position...position + 1], as: UTF8.self), radix: 16)
        }
    }

    private func news(_ bytes: [UInt8]) -> NetworkMessages {
        NetworkMessages(reading: ByteBuffer(bytes: bytes))
    }

    @Test(.enabled(if: UInt16(1).littleEndian == 1, "the bytes were captured on a little-endian machine"))
    func `messages have a subject`() {
        #expect(news(bytes(address)) == .address)
        #expect(news(bytes(route)) == .route)
        #expect(news(bytes(link)) == .link)
        #expect(news(bytes(link) + bytes(route)) == [.link, .route])
        #expect(news([]) == [])
    }

    @Test(.enabled(if: UInt16(1).littleEndian == 1, "the bytes were captured on a little-endian machine"))
    func `a cached copy of a route is ignored`() {
        var cached = bytes(route)
        // RTM_F_CLONED
        cached[25] = 0x02
        #expect(news(cached) == [])
    }

    @Test func `a truncated or malformed message counts as every subject`() {
        let whole = bytes(address)
        for length in 1..<whole.count { #expect(news(Array(whole.prefix(length))) == .anything) }
        #expect(news(Array(repeating: 0, count: 64)) == .anything)
        #expect(news(Array(repeating: 0xFF, count: 64)) == .anything)
    }
}
