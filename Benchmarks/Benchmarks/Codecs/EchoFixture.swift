import NIOCore

/// Echo requests and replies.
enum EchoFixture {
    static func packet(_ kind: EchoPacket.Kind, _ number: Int) -> EchoPacket {
        EchoPacket(
            kind,
            family: .ipv4,
            identifier: 7,
            sequence: UInt16(number),
            cookie: EchoCookie(process: 0x5EAC, slot: UInt32(number), generation: 1)
        )
    }

    static func replies(_ count: Int) -> [ByteBuffer] {
        (0..<count).map { number in
            var buffer = ByteBuffer()
            packet(.reply, number).write(to: &buffer, size: 56)
            return buffer
        }
    }
}
