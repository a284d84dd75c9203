#if os(Linux)
import LibC

/// The hop limit of a received packet, or its time to live, from a control message.
enum HopLimitMessage {
    /// IP_RECVTTL and IP_TTL of <linux/in.h>, IPV6_RECVHOPLIMIT and IPV6_HOPLIMIT of <linux/in6.h>: the options, and the
    /// types of their control messages.
    private static let options: [(level: CInt, option: CInt, type: CInt)] = [
        (CInt(IPPROTO_IP), 12, 2), (CInt(IPPROTO_IPV6), 51, 52),
    ]

    /// Calls `set` with the level and the name of each option to enable. That of the other family fails.
    static func enable(_ set: (CInt, CInt) -> Void) {
        for entry in options { set(entry.level, entry.option) }
    }

    /// Finds the value among the control messages of a packet; nil if there is none.
    static func value(in control: UnsafeRawBufferPointer) -> Int? {
        for entry in options {
            let size = MemoryLayout<CInt>.size
            if let data = ControlMessages.data(level: entry.level, type: entry.type, size: size, in: control) {
                return Int(data.loadUnaligned(as: CInt.self))
            }
        }
        return nil
    }
}
#endif
