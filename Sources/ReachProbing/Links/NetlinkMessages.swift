import NIOCore

/// A parser for a datagram of netlink(7). Each message has a header of sixteen bytes, in host byte order, that begins
/// with the length of the message and its type.
enum NetlinkMessages {
    /// The size of the header.
    static let headerSize = 16

    /// Calls `body` with each message and its type.
    ///
    /// - Returns: Whether all messages could be read: false once one is truncated or malformed.
    static func read(_ datagram: ByteBuffer, _ body: (_ type: UInt16, _ message: ByteBuffer) -> Void) -> Bool {
        var rest = datagram
        while rest.readableBytes > 0 {
            let start = rest.readerIndex
            guard let length: UInt32 = rest.getInteger(at: start, endianness: .host),
                let type: UInt16 = rest.getInteger(at: start + 4, endianness: .host),
                length >= headerSize, length <= rest.readableBytes,
                let message = rest.getSlice(at: start, length: Int(length))
            else { return false }
            body(type, message)
            // The next message begins at a multiple of four; the last one may lack the padding.
            rest.moveReaderIndex(forwardBy: min((Int(length) + 3) & ~3, rest.readableBytes))
        }
        return true
    }
}

/// The subjects of Linux's messages about the network (rtnetlink(7)). They only trigger a check: their details are not
/// used, and an unreadable message counts as every subject.
struct NetworkMessages: OptionSet, Sendable, Hashable {
    let rawValue: Int

    /// An interface was added, removed, or changed.
    static let link = NetworkMessages(rawValue: 1)
    /// An address was added or removed.
    static let address = NetworkMessages(rawValue: 2)
    /// A route was added or removed.
    static let route = NetworkMessages(rawValue: 4)
    static let anything: NetworkMessages = [.link, .address, .route]

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Reads the messages of one datagram.
    init(reading buffer: ByteBuffer) {
        var subjects: NetworkMessages = []
        let isWhole = NetlinkMessages.read(buffer) { subjects.formUnion(Self.subjects($0, in: $1)) }
        self = isWhole ? subjects : .anything
    }

    private static func subjects(_ type: UInt16, in message: ByteBuffer) -> NetworkMessages {
        switch type {
        // NLMSG_NOOP and NLMSG_DONE.
        case 1, 3: []
        // RTM_NEWLINK, RTM_DELLINK.
        case 16, 17: .link
        // RTM_NEWADDR, RTM_DELADDR.
        case 20, 21: .address
        // RTM_NEWROUTE, RTM_DELROUTE.
        case 24, 25: isCached(message) ? [] : .route
        // NLMSG_ERROR, NLMSG_OVERRUN, and other groups.
        default: .anything
        }
    }

    /// Whether a route is a cached copy of another one (`RTM_F_CLONED` in the `rtmsg` after the header): these change
    /// with the traffic.
    private static func isCached(_ message: ByteBuffer) -> Bool {
        let position = message.readerIndex + NetlinkMessages.headerSize + 8
        let flags: UInt32? = message.getInteger(at: position, endianness: .host)
        return flags.map { $0 & 0x200 != 0 } ?? false
    }
}

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
