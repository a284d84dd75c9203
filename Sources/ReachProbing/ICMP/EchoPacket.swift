import NIOCore
import ReachMonitoring

/// An echo request or reply (RFC 792, RFC 4443).
struct EchoPacket: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case request
        case reply
    }

    static let headerSize = 8
    /// The largest payload, in bytes, that every known network carries unfragmented: with its headers, the packet has
    /// at most the 296 bytes of the narrowest links (RFC 1191 §7.1).
    static let smallSize = 296 - 20 - headerSize
    /// The number of bytes read of a packet: an IPv4 header, the ICMP header and the cookie. The rest of a large payload
    /// is not needed.
    static let sizeRead = 256
    /// The size of the longest packet, in bytes.
    static let longest = 65_535

    var kind: Kind
    var family: IPAddress.Family
    var identifier: UInt16
    var sequence: UInt16
    var cookie: EchoCookie

    init(_ kind: Kind, family: IPAddress.Family, identifier: UInt16, sequence: UInt16, cookie: EchoCookie) {
        self.kind = kind
        self.family = family
        self.identifier = identifier
        self.sequence = sequence
        self.cookie = cookie
    }

    /// Reads a packet as a socket delivers it: with its IPv4 header from a raw socket (and from any socket on macOS),
    /// without it from a datagram socket. Nil for other types, foreign payloads, and noise.
    init?(reading bytes: UnsafeRawBufferPointer, family: IPAddress.Family) {
        let start = bytes.lengthOfIPv4Header(before: family)
        guard bytes.count >= start + Self.headerSize + EchoCookie.size else { return nil }
        guard let kind = Kind(type: bytes[start], family: family), bytes[start + 1] == 0 else { return nil }
        func integer<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer {
            Integer(bigEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Integer.self))
        }
        self.init(
            kind,
            family: family,
            identifier: integer(at: 4),
            sequence: integer(at: 6),
            cookie: EchoCookie(process: integer(at: 8), slot: integer(at: 16), generation: integer(at: 20))
        )
    }

    /// Writes the packet with `size` bytes of payload, within the allowed sizes. The checksum of IPv6 covers addresses that only the kernel
    /// knows; therefore the kernel fills it in.
    func write(to buffer: inout ByteBuffer, size: Int) {
        let count = Self.headerSize + min(max(EchoCookie.size, size), ICMPOptions.sizes.upperBound)
        // A single write: one for each integer would check the buffer's capacity each time.
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { free in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: free[..<count])
            write(to: bytes)
            return count
        }
    }

    private func write(to bytes: UnsafeMutableRawBufferPointer) {
        func put(_ integer: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
            bytes.storeBytes(of: integer.bigEndian, toByteOffset: offset, as: type(of: integer))
        }
        put(kind.type(in: family), at: 0)
        put(UInt8(0), at: 1)
        put(UInt16(0), at: 2)
        put(identifier, at: 4)
        put(sequence, at: 6)
        put(cookie.process, at: 8)
        put(cookie.slot, at: 16)
        put(cookie.generation, at: 20)
        let filling = Self.headerSize + EchoCookie.size
        UnsafeMutableRawBufferPointer(rebasing: bytes[filling...]).initializeMemory(as: UInt8.self, repeating: 0)
        if family == .ipv4 { put(InternetChecksum.of(UnsafeRawBufferPointer(bytes)), at: 2) }
    }
}

extension UnsafeRawBufferPointer {
    /// The length of the IPv4 header before an ICMP message; zero without one. The version shows whether there is a header:
    /// no relevant ICMP type begins with 4.
    func lengthOfIPv4Header(before family: IPAddress.Family) -> Int {
        guard family == .ipv4, let first, first >> 4 == 4 else { return 0 }
        return Int(first & 0xF) * 4
    }
}

extension EchoPacket.Kind {
    fileprivate init?(type: UInt8, family: IPAddress.Family) {
        switch (family, type) {
        case (.ipv4, 8), (.ipv6, 128): self = .request
        case (.ipv4, 0), (.ipv6, 129): self = .reply
        default: return nil
        }
    }

    fileprivate func type(in family: IPAddress.Family) -> UInt8 {
        switch (family, self) {
        case (.ipv4, .request): 8
        case (.ipv4, .reply): 0
        case (.ipv6, .request): 128
        case (.ipv6, .reply): 129
        }
    }
}

/// The one's complement checksum of the internet protocols (RFC 1071).
enum InternetChecksum {
    /// Returns the checksum of these bytes; an odd last byte is padded with zero. Bytes with a correct checksum sum up
    /// to zero.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var sum: UInt64 = 0
        var index = 0
        // Four bytes at a time: the sum of longer words is congruent to that of shorter ones (RFC 1071 §2).
        while index + 3 < bytes.count {
            sum &+= UInt64(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)))
            index += 4
        }
        while index + 1 < bytes.count {
            sum &+= UInt64(bytes[index]) << 8 | UInt64(bytes[index + 1])
            index += 2
        }
        if index < bytes.count { sum &+= UInt64(bytes[index]) << 8 }
        while sum >> 16 != 0 { sum = sum & 0xFFFF &+ sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}

/// The cookie in the first sixteen bytes of each echo request's payload, which the reply returns.
///
/// The identifier of the header is not sufficient: the kernel rewrites it, and every process of the machine receives
/// every reply. The sequence number has sixteen bits only. The cookie identifies the process and the probe.
struct EchoCookie: Sendable, Hashable {
    static let size = 16

    /// A random number of this process.
    let process: UInt64
    /// The index of the probe's slot in the table.
    let slot: UInt32
    /// The generation of the slot, which counts its uses.
    let generation: UInt32
}

extension EchoCookie {
    /// Reads a cookie; nil if there are too few bytes.
    init?(reading buffer: inout ByteBuffer) {
        guard let (process, slot, generation) = buffer.readMultipleIntegers(as: (UInt64, UInt32, UInt32).self) else {
            return nil
        }
        self.init(process: process, slot: slot, generation: generation)
    }
}
