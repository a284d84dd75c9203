import ReachMonitoring

/// The positions of a probe's identity, by the kind of packet.
enum PathLayout: Sendable, Hashable {
    /// The payload of a datagram: the number of the probe, the key of the process, and two bytes that balance the
    /// checksum.
    case datagram
    /// A query for a name that does not exist (RFC 6761 §6.4). Name servers answer it, and return the name.
    case dnsQuery
    /// An echo request: its header, then the same as ``datagram``.
    case echo

    init(of destination: PathDestination) {
        self = destination.method == .icmp ? .echo : Self(port: destination.port)
    }

    /// The layout of datagrams to a port.
    init(port: UInt16) {
        self = port == 53 ? .dnsQuery : .datagram
    }

    /// The bytes that only the quoted probe, or the answer to it, has.
    var identity: Range<Int> {
        switch self {
        case .datagram: 0..<8
        case .dnsQuery: 13..<29
        case .echo: 4..<16
        }
    }

    /// The number of a probe in its packet or in the answer to it; nil if there are too few bytes.
    func number(in bytes: ArraySlice<UInt8>) -> UInt32? {
        let start = bytes.startIndex + (self == .echo ? 8 : identity.lowerBound)
        let length = self == .dnsQuery ? 8 : 4
        guard bytes.endIndex >= start + length else { return nil }
        let field = bytes[start..<start + length]
        guard self == .dnsQuery else { return field.reduce(0) { $0 << 8 | UInt32($1) } }
        return UInt32(String(decoding: field, as: UTF8.self), radix: 16)
    }
}

/// The part of a path's probe that this program writes: the payload of a datagram, or an ICMP message.
///
/// The checksum is the same for all probes of a flow, as some routers divide traffic by it: two bytes balance the
/// identity (Paris traceroute, IMC 2006).
struct PathPacket: Sendable, Hashable {
    /// How much of the packet a quotation has.
    enum Match: Sendable, Hashable {
        /// The quotation is of another packet.
        case none
        /// The quotation ends before the end of the identity.
        case beginning
        /// The quotation has the identity.
        case identity
    }

    let layout: PathLayout
    /// The beginning of the packet; the rest is zero.
    let head: [UInt8]
    /// The size of the whole, in bytes.
    let size: Int

    /// - Parameters:
    ///   - key: a random number of this process.
    ///   - identifier: the identifier of echo requests, which their flow has.
    init(_ probe: PathProbe, family: IPAddress.Family, key: UInt32, identifier: UInt16) {
        layout = PathLayout(of: probe.destination)
        let identity = Self.bytes(of: probe.number) + Self.bytes(of: key)
        var head: [UInt8]
        let balance: Int
        switch layout {
        case .datagram:
            head = identity + [0, 0, 0, 0]
            balance = 8
        case .dnsQuery:
            // A header with one question, and the question: `0123456789abcdef.invalid`, type A, class IN.
            head = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 16]
            for byte in identity { head += [Self.digit(byte >> 4), Self.digit(byte & 0xF)] }
            head.append(7)
            head += Array("invalid".utf8)
            head += [0, 0, 1, 0, 1]
            balance = 0
        case .echo:
            let type: UInt8 = family == .ipv4 ? 8 : 128
            head = [type, 0, 0, 0] + Self.bytes(of: UInt32(identifier) << 16 | probe.number & 0xFFFF)
            head += identity + [0, 0, 0, 0]
            balance = 16
        }
        let headers = (family == .ipv4 ? 20 : 40) + (layout == .echo ? 0 : 8)
        size = min(max(head.count, (probe.size ?? 0) - headers), 65_535 - headers)
        // The lengths in a header of UDP and in the pseudo header are part of the checksum. The checksum of echo requests
        // becomes their identifier, since routers divide them by it.
        let length = UInt16(size + (layout == .echo ? 0 : 8))
        let lengths: [UInt16] = layout == .echo ? (family == .ipv4 ? [] : [length]) : [length, length]
        let sum = Self.checksum(head + (lengths + [identifier]).flatMap { number in Self.bytes(of: number) })
        head.replaceSubrange(balance..<balance + 2, with: Self.bytes(of: sum))
        if layout == .echo, family == .ipv4 {
            // The kernel writes that of IPv6, which covers the addresses.
            let checksum = Self.checksum(head)
            head.replaceSubrange(2..<4, with: Self.bytes(of: checksum))
        }
        self.head = head
    }

    /// The whole packet.
    var bytes: [UInt8] { head + Array(repeating: 0, count: size - head.count) }

    /// Compares the packet with a quotation of it. Some routers quote a few bytes only, and fill up with zeros.
    func match(_ quotation: ArraySlice<UInt8>) -> Match {
        if let count = agreement(with: quotation) {
            return count >= layout.identity.upperBound ? .identity : .beginning
        }
        let end = quotation.lastIndex { $0 != 0 }.map { $0 + 1 } ?? quotation.startIndex
        return agreement(with: quotation[..<end]) == nil ? .none : .beginning
    }

    /// The number of bytes in which the packet and a quotation agree; nil if a byte differs.
    private func agreement(with quotation: ArraySlice<UInt8>) -> Int? {
        for (index, (own, quoted)) in zip(head, quotation).enumerated() where own != quoted {
            // The kernel may have written the checksum.
            guard layout == .echo, index == 2 || index == 3 else { return nil }
        }
        return min(head.count, quotation.count)
    }

    /// Whether an answer of the destination has the identity of the packet.
    func isReturned(by answer: ArraySlice<UInt8>) -> Bool {
        let range = layout.identity
        guard answer.count >= range.upperBound else { return false }
        let start = answer.startIndex
        return answer[(start + range.lowerBound)..<(start + range.upperBound)] == head[range]
    }

    /// The hexadecimal digit of a number below sixteen.
    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? 48 + number : 87 + number
    }

    private static func bytes(of number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    private static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.withUnsafeBytes { InternetChecksum.of($0) }
    }
}
