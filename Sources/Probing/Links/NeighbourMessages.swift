import NIOCore

/// A parser for the kernel's messages about neighbours, the hosts of the local network (rtnetlink(7), `RTM_NEWNEIGH`).
/// Invalid messages are skipped: the next probe of a target does not depend on them.
enum NeighbourMessages {
    /// Returns the addresses that the kernel has learned or confirmed.
    static func addresses(in datagram: ByteBuffer) -> [IPAddress] {
        var addresses: [IPAddress] = []
        _ = NetlinkMessages.read(datagram) { type, message in
            guard type == newNeighbour, let address = address(in: message) else { return }
            addresses.append(address)
        }
        return addresses
    }

    private static let newNeighbour: UInt16 = 28
    /// `NDA_DST` of <linux/neighbour.h>.
    private static let destination: UInt16 = 1
    /// The neighbour states that show a packet from the host:
    ///
    /// * `NUD_REACHABLE`: the host has answered.
    /// * `NUD_STALE`: it announced itself or requested this machine's address, or an entry has aged, which costs an
    ///   unneeded probe.
    /// * `NUD_DELAY`: like stale, with packets waiting for the address. The kernel sends them before it reports the
    ///   change, so the entry is already in use; its timer sets this state without a report.
    ///
    /// This machine sets all other states, when it requests or verifies the address, or has got no answer.
    private static let presentStates: UInt16 = 0x02 | 0x04 | 0x08

    /// Returns the neighbour of a message. After the header follows a `struct ndmsg` (family, three bytes of padding,
    /// interface, state, flags, type), then attributes, each with its length and its type.
    private static func address(in message: ByteBuffer) -> IPAddress? {
        let start = message.readerIndex + NetlinkMessages.headerSize
        guard let index: UInt32 = message.getInteger(at: start + 4, endianness: .host),
            let state: UInt16 = message.getInteger(at: start + 8, endianness: .host), state & presentStates != 0
        else { return nil }
        var position = start + 12
        while let length: UInt16 = message.getInteger(at: position, endianness: .host), length >= 4,
            let type: UInt16 = message.getInteger(at: position + 2, endianness: .host)
        {
            if type == destination {
                return message.getBytes(at: position + 4, length: Int(length) - 4)
                    .flatMap { IPAddress(bytes: $0) }?.onLink(index)
            }
            position += (Int(length) + 3) & ~3
        }
        return nil
    }
}
