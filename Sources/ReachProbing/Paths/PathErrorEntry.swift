#if os(Linux)
import ReachMonitoring
import ReachSystem

/// An entry in the error queue of a socket that sends probes of a path (ip(7), ipv6(7)).
struct PathErrorEntry: Sendable, Hashable {
    /// The cause of an entry.
    enum Cause: Sendable, Hashable {
        /// This machine did not send a packet, since its link carries no more than `mtu` bytes.
        case tooBigToSend(mtu: UInt32)
        /// An ICMP message arrived, with the MTU that it reports, if any.
        case message(ExtendedError, mtu: UInt32)
    }

    let cause: Cause
    /// The size of the quoted packet without its headers, if the message has extensions after it (RFC 4884).
    private let quotedSize: Int?

    /// Finds the entry among control messages (cmsg(3)); nil for errors of other causes.
    init?(control: UnsafeRawBufferPointer) {
        // A struct sock_extended_err of <linux/errqueue.h>: the error, its origin, type and code, the MTU, and the data of
        // IP_RECVERR_RFC4884.
        let size = 16
        let body =
            ControlMessages.data(level: CInt(IPPROTO_IP), type: CInt(IP_RECVERR), size: size, in: control)
            ?? ControlMessages.data(level: CInt(IPPROTO_IPV6), type: CInt(IPV6_RECVERR), size: size, in: control)
        guard let body else { return nil }
        let mtu = body.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        if let message = ExtendedError(control: control) {
            cause = .message(message, mtu: mtu)
        } else if body[4] == 1, body.loadUnaligned(as: UInt32.self) == UInt32(EMSGSIZE) {  // SO_EE_ORIGIN_LOCAL
            cause = .tooBigToSend(mtu: mtu)
        } else {
            return nil
        }
        let length = Int(body.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
        quotedSize = length > 0 ? length : nil
    }

    /// Divides the bytes of the entry into the quoted packet, without its headers, and the labels after it.
    ///
    /// - Parameter headers: the size of the quoted headers, which the kernel removes. Old routers report it only by the
    ///   place of the extensions.
    func divide(_ bytes: ArraySlice<UInt8>, headers: Int) -> (quotation: ArraySlice<UInt8>, labels: [MPLSLabel]) {
        let legacy = ICMPExtensions.legacyQuotation - headers
        let count = quotedSize ?? legacy
        guard count <= bytes.count else { return (bytes, []) }
        let extensions = ICMPExtensions(reading: bytes.dropFirst(count), needsChecksum: quotedSize == nil)
        guard let extensions else { return (quotedSize == nil ? bytes : bytes.prefix(count), []) }
        return (bytes.prefix(count), extensions.labels)
    }
}

extension PathAnswer.Kind {
    /// Creates the answer that an ICMP error message gives; nil for messages that say nothing about the path.
    ///
    /// - Parameters:
    ///   - mtu: the MTU in the message, if it has one.
    ///   - isFromDestination: whether the destination of the probe sent the message.
    init?(icmpType type: UInt8, code: UInt8, family: IPAddress.Family, mtu: UInt32, isFromDestination: Bool) {
        let isTooBig = family == .ipv4 ? type == 3 && code == 4 : type == 2
        if isTooBig {
            self = .tooBig(mtu: Int(mtu))
            return
        }
        if family == .ipv4, type == 3, code == 2 {
            self = isFromDestination ? .reached(.refused) : .unreachable(.protocolUnreachable)
            return
        }
        switch Reason(icmpType: type, code: code, family: family) {
        case .ttlExceeded: self = .exceeded
        case .refused: self = isFromDestination ? .reached(.refused) : .unreachable(.refused)
        case .networkUnreachable: self = .unreachable(.networkUnreachable)
        case .hostUnreachable: self = .unreachable(.hostUnreachable)
        case .prohibited: self = .unreachable(.prohibited)
        default:
            // Another destination unreachable, or a parameter problem (RFC 792, RFC 4443): an answer all the same.
            guard (family == .ipv4 ? [3, 12] : [1, 4]).contains(type) else { return nil }
            self = .unreachable(.other)
        }
    }
}
#endif
