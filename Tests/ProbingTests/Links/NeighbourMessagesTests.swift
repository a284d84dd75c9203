import NIOCore
import Testing

@testable import Probing

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
