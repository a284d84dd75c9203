#if os(Linux)
import ReachMonitoring

import ReachSystem

/// An error about a sent packet, as Linux stores it in the error queue of the socket: the `sock_extended_err` of
/// ip(7) and ipv6(7), and the sender of the error.
struct ExtendedError: Sendable, Hashable {
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
        // A struct sock_extended_err of <linux/errqueue.h>, and the struct sockaddr after it.
        let size = 16
        let body =
            ControlMessages.data(level: CInt(IPPROTO_IP), type: CInt(IP_RECVERR), size: size, in: control)
            ?? ControlMessages.data(level: CInt(IPPROTO_IPV6), type: CInt(IPV6_RECVERR), size: size, in: control)
        guard let body else { return nil }
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
