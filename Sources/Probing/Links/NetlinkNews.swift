import NIOCore

/// What Linux's messages about the network are about (rtnetlink(7)). They are only a hint to look: what they say in
/// detail is not believed, and what cannot be read may be about anything.
struct NetlinkNews: OptionSet, Sendable, Hashable {
    let rawValue: Int

    /// An interface came, went, or changed.
    static let link = NetlinkNews(rawValue: 1)
    /// An address came or went.
    static let address = NetlinkNews(rawValue: 2)
    /// A route came or went.
    static let route = NetlinkNews(rawValue: 4)
    static let anything: NetlinkNews = [.link, .address, .route]

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Reads the messages of one datagram.
    init(reading buffer: ByteBuffer) {
        var news: NetlinkNews = []
        let isWhole = NetlinkMessages.read(buffer) { news.formUnion(Self.news($0, in: $1)) }
        self = isWhole ? news : .anything
    }

    private static func news(_ type: UInt16, in message: ByteBuffer) -> NetlinkNews {
        switch type {
        // NLMSG_NOOP and NLMSG_DONE.
        case 1, 3: []
        // RTM_NEWLINK, RTM_DELLINK.
        case 16, 17: .link
        // RTM_NEWADDR, RTM_DELADDR.
        case 20, 21: .address
        // RTM_NEWROUTE, RTM_DELROUTE.
        case 24, 25: isCached(message) ? [] : .route
        // NLMSG_ERROR, NLMSG_OVERRUN, and what was not asked for.
        default: .anything
        }
    }

    /// Whether a route is merely remembered from another one (`RTM_F_CLONED` in the `rtmsg` after the header): they
    /// come and go with the traffic.
    private static func isCached(_ message: ByteBuffer) -> Bool {
        let position = message.readerIndex + NetlinkMessages.headerSize + 8
        let flags: UInt32? = message.getInteger(at: position, endianness: .host)
        return flags.map { $0 & 0x200 != 0 } ?? false
    }
}
