import NIOCore

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
