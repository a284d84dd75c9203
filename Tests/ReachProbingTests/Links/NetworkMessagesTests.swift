import NIOCore
import Testing

@testable import ReachProbing

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

/// The kernel's messages about neighbours: a `struct nlmsghdr`, a `struct ndmsg` and attributes in host byte order.
struct NeighbourMessagesTests {
    private func message(
        type: UInt16 = 28,
        state: UInt16,
        interface: UInt32 = 7,
        _ address: [UInt8],
        attribute: UInt16 = 1
    ) -> ByteBuffer {
        var body = ByteBuffer()
        body.writeRepeatingByte(address.count == 4 ? 2 : 10, count: 4)
        body.writeInteger(interface, endianness: .host)
        body.writeInteger(state, endianness: .host)
        body.writeRepeatingByte(0, count: 2)
        // The link-layer address may come first; it has six bytes and two of padding.
        body.writeInteger(UInt16(10), endianness: .host)
        body.writeInteger(UInt16(2), endianness: .host)
        body.writeRepeatingByte(2, count: 8)
        body.writeInteger(UInt16(4 + address.count), endianness: .host)
        body.writeInteger(attribute, endianness: .host)
        body.writeBytes(address)
        var message = ByteBuffer()
        message.writeInteger(UInt32(16 + body.readableBytes), endianness: .host)
        message.writeInteger(type, endianness: .host)
        message.writeRepeatingByte(0, count: 10)
        message.writeBuffer(&body)
        // The next message begins at a multiple of four.
        message.writeRepeatingByte(0, count: -message.readableBytes & 3)
        return message
    }

    private let host: [UInt8] = [192, 0, 2, 5]
    private let linkLocal: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1]

    @Test(arguments: [(0x02, true), (0x04, true), (0x08, true), (0x01, false), (0x10, false), (0x20, false)])
    func `a host is present in the states reachable, stale and delay`(
        state: UInt16,
        isHeard: Bool
    ) {
        #expect(
            NeighbourMessages.addresses(in: message(state: state, host))
                == (isHeard ? [IPAddress(ipv4: 0xC000_0205)] : [])
        )
    }

    @Test func `a link-local address has the index of its link`() {
        let heard = NeighbourMessages.addresses(in: message(state: 2, linkLocal))
        #expect(heard == [IPAddress(ipv6: 0xFE80 << 48, 1, scope: 7)])
        let other = NeighbourMessages.addresses(in: message(state: 2, [0x20, 1] + linkLocal.dropFirst(2)))
        #expect(other.map(\.scope) == [0])
    }

    @Test func `all messages of a datagram are read, and others skipped`() {
        var all = message(state: 2, host)
        for var next in [
            message(type: 29, state: 2, host), message(state: 2, host, attribute: 9), message(state: 2, [1, 2, 3]),
            message(state: 4, [192, 0, 2, 6]),
        ] { all.writeBuffer(&next) }
        #expect(NeighbourMessages.addresses(in: all) == [IPAddress(ipv4: 0xC000_0205), IPAddress(ipv4: 0xC000_0206)])
    }

    @Test func `truncated and malformed messages have no addresses`() {
        let whole = message(state: 2, host)
        for length in 1..<whole.readableBytes {
            #expect(NeighbourMessages.addresses(in: whole.getSlice(at: 0, length: length) ?? whole) == [])
        }
        for byte: UInt8 in [0, 0xFF] {
            #expect(NeighbourMessages.addresses(in: ByteBuffer(repeating: byte, count: 64)) == [])
        }
        // An attribute of length zero must not cause an endless loop.
        var empty = whole
        empty.setInteger(UInt16(0), at: 28, endianness: .host)
        #expect(NeighbourMessages.addresses(in: empty) == [])
    }
}
