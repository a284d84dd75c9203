#if os(Linux)
import ReachMonitoring

import ReachSystem

/// An error about a sent packet, as Linux stores it in the error queue of the socket: the `sock_extended_err` of
/// ip(7) and ipv6(7), and the sender of the error.
struct ExtendedError: Sendable, Hashable {
    /// The error number that the kernel derives from the message.
    let errorNumber: CInt
    /// The type and the code of the ICMP message.
    let type: UInt8
    let code: UInt8
    /// The family of the message.
    let family: IPAddress.Family
    /// The sender of the message: a router, the probed host, or this machine itself.
    let offender: IPAddress?

    /// The reason of a failure; nil for messages that are no verdict.
    var reason: Reason? {
        Reason(icmpType: type, code: code, family: family)
    }

    /// The failure of a datagram that was sent to `destination`; nil for messages that are no verdict, such as
    /// "fragmentation needed".
    func failure(of destination: IPAddress?) -> Failure? {
        guard let reason else { return nil }
        guard let offender, offender != destination else { return Failure(reason) }
        return Failure(reason, reportedBy: offender)
    }

    /// Whether a packet filter of this machine rejected a packet to `destination`: its message has an address of this
    /// machine as its source, by the kernel's route to itself. A router that cannot reach a host sends another message, and
    /// so does this machine for a host of its own network.
    func isFromLocalFilter(of destination: IPAddress) -> Bool {
        guard let offender, offender != destination, reason == .refused || reason == .prohibited else { return false }
        return KernelRoute(to: offender) == .from(offender)
    }

    /// Finds the error among control messages (cmsg(3)); nil if no ICMP message caused one.
    init?(control: UnsafeRawBufferPointer) {
        // A struct cmsghdr is a length (of header and data), a level and a type; all are aligned like the length.
        let unit = MemoryLayout<Int>.size
        let header = unit + 8
        var rest = control[...]
        while rest.count >= header {
            let message = UnsafeRawBufferPointer(rebasing: rest)
            let length = message.loadUnaligned(as: Int.self)
            guard length >= header, length <= message.count else { return nil }
            let level = message.loadUnaligned(fromByteOffset: unit, as: CInt.self)
            let type = message.loadUnaligned(fromByteOffset: unit + 4, as: CInt.self)
            switch (level, type) {
            case (CInt(IPPROTO_IP), CInt(IP_RECVERR)), (CInt(IPPROTO_IPV6), CInt(IPV6_RECVERR)):
                self.init(body: UnsafeRawBufferPointer(rebasing: message[header..<length]))
                return
            default:
                rest = rest.dropFirst((length + unit - 1) / unit * unit)
            }
        }
        return nil
    }

    /// Reads a struct sock_extended_err of <linux/errqueue.h> and the struct sockaddr after it.
    private init?(body: UnsafeRawBufferPointer) {
        let size = 16
        guard body.count >= size else { return nil }
        errorNumber = CInt(bitPattern: body.loadUnaligned(as: UInt32.self))
        switch body[4] {
        case 2: family = .ipv4  // SO_EE_ORIGIN_ICMP
        case 3: family = .ipv6  // SO_EE_ORIGIN_ICMP6
        default: return nil
        }
        type = body[5]
        code = body[6]
        offender = IPAddress(sockaddr: UnsafeRawBufferPointer(rebasing: body[size...]))
    }
}
#endif
