import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

struct RawEchoFilterTests {
    private static let cookie = EchoCookie(process: 1, slot: 2, generation: 3)
    private static let header: [UInt8] = [
        0x46, 0, 0, 0, 0, 0, 0, 0, 64, 1, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1, 1, 1, 1, 1,
    ]

    private static func packet(
        _ kind: EchoPacket.Kind = .reply,
        _ family: IPAddress.Family = .ipv4,
        identifier: UInt16 = 7,
        size: Int = 57
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        EchoPacket(kind, family: family, identifier: identifier, sequence: 9, cookie: cookie).write(
            to: &buffer,
            size: size
        )
        return Array(buffer: buffer)
    }

    private func accepts(_ packet: [UInt8], _ family: IPAddress.Family = .ipv4) -> Bool {
        packet.withUnsafeBytes { RawEchoFilter(identifier: 7, family: family).accepts($0) }
    }

    @Test func `a complete reply to this process is accepted, with or without an IPv4 header`() {
        #expect(accepts(Self.packet()))
        #expect(accepts(Self.header + Self.packet()))
        #expect(accepts(Self.header + Self.packet(size: 65_000)))
        #expect(accepts(Self.packet(.reply, .ipv6), .ipv6))
    }

    @Test func `a packet with a wrong checksum is rejected`() {
        let good = Self.header + Self.packet()
        for index in Self.header.count..<good.count {
            var bad = good
            bad[index] ^= 0x10
            #expect(!accepts(bad), "byte \(index)")
        }
        #expect(!accepts(Self.header + Self.packet().dropLast(2) + [1, 2]))
    }

    @Test func `a reply to another identifier is rejected, and an error accepted`() {
        #expect(!accepts(Self.header + Self.packet(identifier: 8)))
        #expect(!accepts(Self.packet(.reply, .ipv6, identifier: 8), .ipv6))
        var error: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0] + Self.packet(.request, identifier: 8)
        error.replaceSubrange(2..<4, with: error.withUnsafeBytes { InternetChecksum.of($0) }.inNetworkOrder)
        #expect(accepts(Self.header + error))
        error[2] ^= 1
        #expect(!accepts(Self.header + error))
    }

    @Test func `a packet that is too short is rejected`() {
        for count in 0..<8 { #expect(!accepts(Array(Self.packet().prefix(count)))) }
        #expect(!accepts(Self.header + Self.packet().prefix(7)))
    }

    #if os(Linux)
    /// Whether ICMP sockets are raw here; for datagram sockets, the kernel filters.
    static let isRaw: Bool = {
        let kind = EchoSocket.Kind(family: .ipv4, ttl: 64, dscp: 0)
        guard let descriptor = try? EchoSocket.descriptor(for: kind) else { return false }
        defer { closeDescriptor(descriptor) }
        return SocketType.of(descriptor) == SocketType.raw
    }()

    @Test(.enabled(if: isRaw, "ICMP sockets are no raw ones here"), .live, .timeLimit(.minutes(1)))
    func `a raw socket delivers only packets that pass the filter`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (sequences, received) = AsyncStream.makeStream(of: [UInt8].self)
        let opened = try await loop.submit {
            let listener = EchoListener(
                receive: { bytes, _, _ in received.yield(Array(bytes.suffix(65))) },
                receiveError: { _, _ in },
                batchEnded: {},
                ended: {}
            )
            let kind = EchoSocket.Kind(family: .ipv4, ttl: 64, dscp: 0)
            return NIOLoopBound(try EchoSocket.open(kind, identifier: 7, on: loop, for: listener), eventLoop: loop)
        }
        .get()
        var wrong = Self.packet(size: 57)
        wrong[40] ^= 1
        let last = Self.packet(size: 57)
        let sender = socket(AF_INET, SocketType.raw, CInt(IPPROTO_ICMP))
        let address = try #require(IPAddress(literal: "127.0.0.1"))
        for packet in [wrong, Self.packet(identifier: 8), last] {
            _ = address.withSocketAddress { sendto(sender, packet, packet.count, 0, $0, $1) }
        }
        // Other tests cause ICMP errors, which pass the filter. The packets sent here have one end.
        let arrival = await sequences.first { $0.suffix(8) == last.suffix(8) }
        #expect(arrival == last)
        closeDescriptor(sender)
        try await loop.submit { opened.value.close() }.get()
    }
    #endif
}
