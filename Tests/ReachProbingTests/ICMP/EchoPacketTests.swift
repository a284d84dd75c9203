import NIOCore
import Testing

@testable import ReachProbing

struct EchoPacketTests {
    private let cookie = EchoCookie(process: 0x0102_0304_0506_0708, slot: 9, generation: 10)

    private func packet(_ kind: EchoPacket.Kind, _ family: IPAddress.Family) -> EchoPacket {
        EchoPacket(kind, family: family, identifier: 0xBEEF, sequence: 0xFFFE, cookie: cookie)
    }

    private func written(_ packet: EchoPacket, size: Int = 56) -> ByteBuffer {
        var buffer = ByteBuffer()
        packet.write(to: &buffer, size: size)
        return buffer
    }

    @Test(arguments: [IPAddress.Family.ipv4, .ipv6], [EchoPacket.Kind.request, .reply])
    func `a written packet is parsed`(family: IPAddress.Family, kind: EchoPacket.Kind) {
        let packet = packet(kind, family)
        let buffer = written(packet)
        #expect(buffer.readableBytes == 64)
        #expect(EchoPacket(reading: buffer, family: family) == packet)
    }

    @Test(arguments: [Int.min, -1, 0, 15, 65_508, .max])
    func `the size is limited`(_ size: Int) {
        let count = written(packet(.request, .ipv4), size: size).readableBytes
        #expect(count == 8 + (size < 16 ? 16 : 65_507))
    }

    @Test func `the types are those of the standards`() {
        #expect(written(packet(.request, .ipv4)).getInteger(at: 0, as: UInt16.self) == 0x0800)
        #expect(written(packet(.reply, .ipv4)).getInteger(at: 0, as: UInt16.self) == 0x0000)
        #expect(written(packet(.request, .ipv6)).getInteger(at: 0, as: UInt16.self) == 0x8000)
        #expect(written(packet(.reply, .ipv6)).getInteger(at: 0, as: UInt16.self) == 0x8100)
    }

    @Test func `a raw socket's IPv4 header is skipped, including options`() {
        for words in 5...15 {
            var buffer = ByteBuffer(repeating: 0, count: words * 4)
            buffer.setInteger(UInt8(0x40 | words), at: 0)
            buffer.writeImmutableBuffer(written(packet(.reply, .ipv4)))
            #expect(EchoPacket(reading: buffer, family: .ipv4) == packet(.reply, .ipv4))
        }
    }

    @Test func `a reply truncated after the cookie is parsed`() {
        let buffer = written(packet(.reply, .ipv4), size: 1_400)
        #expect(buffer.getSlice(at: 0, length: 24).flatMap { EchoPacket(reading: $0, family: .ipv4) } != nil)
        #expect(buffer.getSlice(at: 0, length: 23).flatMap { EchoPacket(reading: $0, family: .ipv4) } == nil)
    }

    @Test func `other types and families are ignored`() {
        var unreachable = written(packet(.reply, .ipv4))
        unreachable.setInteger(UInt8(3), at: 0)
        #expect(EchoPacket(reading: unreachable, family: .ipv4) == nil)
        #expect(EchoPacket(reading: written(packet(.reply, .ipv4)), family: .ipv6) == nil)
    }

    @Test func `a written packet has the right checksum, also with an odd size`() {
        for size in 16...80 {
            let buffer = written(packet(.request, .ipv4), size: size)
            #expect(buffer.withUnsafeReadableBytes { InternetChecksum.of($0) } == 0)
        }
    }

    @Test(
        arguments: [
            ([], 0xFFFF),
            ([0x00, 0x00], 0xFFFF),
            ([0xFF, 0xFF], 0x0000),
            ([0x01], 0xFEFF),
            // The example of RFC 1071.
            ([0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7], 0x220D),
            // An echo request of ping's, sequence 1, without payload.
            ([0x08, 0x00, 0x00, 0x00, 0x12, 0x34, 0x00, 0x01], 0xE5CA),
        ] as [([UInt8], UInt16)]
    )
    func `checksums match known packets`(bytes: [UInt8], checksum: UInt16) {
        #expect(bytes.withUnsafeBytes { InternetChecksum.of($0) } == checksum)
    }
}
