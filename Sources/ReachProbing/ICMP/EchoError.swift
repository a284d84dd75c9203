import NIOCore
import ReachMonitoring

/// An ICMP error message about an echo request, from a router or the host itself (RFC 792, RFC 1812 §5.2.7, RFC 4443
/// §3).
///
/// The message quotes the beginning of the request. Old routers quote no more than its header, others enough for the
/// cookie.
struct EchoError: Sendable, Hashable {
    let reason: Reason
    /// The destination of the quoted request.
    let destination: IPAddress
    let identifier: UInt16
    let sequence: UInt16
    /// The quoted cookie, if the quotation is long enough.
    let cookie: EchoCookie?

    /// Reads a packet as a raw socket delivers it. Nil for other types, and for messages about other packets.
    init?(reading buffer: ByteBuffer, family: IPAddress.Family) {
        var buffer = buffer
        let start = buffer.withUnsafeReadableBytes { $0.lengthOfIPv4Header(before: family) }
        buffer.moveReaderIndex(forwardBy: min(start, buffer.readableBytes))
        guard
            let (type, code, _, _) = buffer.readMultipleIntegers(as: (UInt8, UInt8, UInt16, UInt32).self),
            let reason = Reason(icmpType: type, code: code, family: family)
        else { return nil }
        self.init(reason: reason, quoting: buffer, family: family)
    }

    private init?(reason: Reason, quoting buffer: ByteBuffer, family: IPAddress.Family) {
        var buffer = buffer
        let destination = family == .ipv4 ? buffer.readQuotedIPv4Destination() : buffer.readQuotedIPv6Destination()
        guard let destination else { return nil }
        self.init(reason: reason, destination: destination, quotation: buffer)
    }

    /// Reads the quoted request, from its ICMP header on.
    init?(reason: Reason, destination: IPAddress, quotation: ByteBuffer) {
        var buffer = quotation
        guard
            let (type, code, _, identifier, sequence) = buffer.readMultipleIntegers(
                as: (UInt8, UInt8, UInt16, UInt16, UInt16).self
            ),
            type == (destination.family == .ipv4 ? 8 : 128), code == 0
        else { return nil }
        self.reason = reason
        self.destination = destination
        self.identifier = identifier
        self.sequence = sequence
        cookie = EchoCookie(reading: &buffer)
    }
}

extension Failure {
    /// The failure that an ICMP error message reports, with the address that sent it: `host unreachable (reported by
    /// 192.0.2.1)`.
    init(_ reason: Reason, reportedBy source: IPAddress?) {
        self.init(reason, reporter: source.map { "\($0)" })
    }
}

extension ByteBuffer {
    /// Reads the header of a quoted ICMP packet's first fragment.
    fileprivate mutating func readQuotedIPv4Destination() -> IPAddress? {
        guard
            let (first, _, _, _, fragment, _, carried, _, _, destination) = readMultipleIntegers(
                as: (UInt8, UInt8, UInt16, UInt16, UInt16, UInt8, UInt8, UInt16, UInt32, UInt32).self
            ),
            first >> 4 == 4, first & 0xF >= 5, fragment & 0x1FFF == 0, carried == 1,
            readSlice(length: Int(first & 0xF) * 4 - 20) != nil
        else { return nil }
        return IPAddress(ipv4: destination)
    }

    /// Reads the header of a quoted ICMPv6 packet's first fragment.
    fileprivate mutating func readQuotedIPv6Destination() -> IPAddress? {
        guard
            let (first, _, carried, _, _, _, high, low) = readMultipleIntegers(
                as: (UInt32, UInt16, UInt8, UInt8, UInt64, UInt64, UInt64, UInt64).self
            ),
            first >> 28 == 6
        else { return nil }
        // A request larger than the path's packets has a fragment header (RFC 8200 §4.5).
        guard carried == 44 else { return carried == 58 ? IPAddress(ipv6: high, low) : nil }
        guard
            let (next, _, offset, _) = readMultipleIntegers(as: (UInt8, UInt8, UInt16, UInt32).self),
            next == 58, offset & 0xFFF8 == 0
        else { return nil }
        return IPAddress(ipv6: high, low)
    }
}

extension Reason {
    /// Maps the type and code of an ICMP error message to a reason; nil for other messages, and for errors that
    /// do not end a request, such as "packet too big".
    init?(icmpType type: UInt8, code: UInt8, family: IPAddress.Family) {
        let reason: Reason? =
            switch family {
            case .ipv4: Self.ipv4(type, code)
            case .ipv6: Self.ipv6(type, code)
            }
        guard let reason else { return nil }
        self = reason
    }

    /// RFC 792 and RFC 1812 §5.2.7.1.
    private static func ipv4(_ type: UInt8, _ code: UInt8) -> Reason? {
        switch (type, code) {
        case (3, 0), (3, 5), (3, 6), (3, 11): .networkUnreachable
        case (3, 1), (3, 2), (3, 7), (3, 8), (3, 12): .hostUnreachable
        case (3, 3): .refused
        case (3, 9), (3, 10), (3, 13), (3, 14), (3, 15): .prohibited
        case (11, 0): .ttlExceeded
        default: nil
        }
    }

    /// RFC 4443 §3.
    private static func ipv6(_ type: UInt8, _ code: UInt8) -> Reason? {
        switch (type, code) {
        case (1, 0), (1, 2): .networkUnreachable
        case (1, 1), (1, 5), (1, 6): .prohibited
        case (1, 3): .hostUnreachable
        case (1, 4): .refused
        case (3, 0): .ttlExceeded
        default: nil
        }
    }
}
