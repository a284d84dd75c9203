import ReachBasics
import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachProbing

struct PathPacketTests {
    private static let destinations = [
        PathDestination(address: "192.0.2.1", method: .udp, port: 33_434),
        PathDestination(address: "192.0.2.1", method: .udp, port: 53),
        PathDestination(address: "192.0.2.1", method: .icmp),
    ]
    private static let numbers: [UInt32] = [0, 1, 255, 256, 65_535, 65_536, 0x1234_5678, 0xFFFF_FFFF]

    private func packet(
        _ number: UInt32,
        _ destination: PathDestination,
        _ family: IPAddress.Family = .ipv4,
        hop: Int = 1,
        size: Int? = nil,
        key: UInt32 = 0xA1B2_C3D4,
        identifier: UInt16 = 77
    ) -> PathPacket {
        let probe = PathProbe(number: number, destination: destination, hop: hop, size: size)
        return PathPacket(probe, family: family, key: key, identifier: identifier)
    }

    /// The sum of a packet as its receiver computes it, without the addresses, ports and identifier, which are constant.
    private func sum(_ packet: PathPacket, _ family: IPAddress.Family) -> UInt16 {
        var bytes = packet.bytes
        if packet.layout == .echo {
            bytes.replaceSubrange(2..<4, with: [0, 0])
            if family == .ipv4 { return bytes.withUnsafeBytes(InternetChecksum.of) }
        }
        let length = bytes.count + (packet.layout == .echo ? 0 : 8)
        if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
        for _ in 0..<(packet.layout == .echo ? 1 : 2) { bytes += [UInt8(length >> 8), UInt8(length & 0xFF)] }
        return bytes.withUnsafeBytes(InternetChecksum.of)
    }

    @Test(arguments: destinations, [IPAddress.Family.ipv4, .ipv6])
    func `all packets of a flow have one checksum`(destination: PathDestination, family: IPAddress.Family) {
        var sums: Set<UInt16> = []
        for number in Self.numbers {
            for size in [nil, 100, 999, 1_280, 1_500, 9_000] {
                let packet = packet(number, destination, family, hop: Int(number % 255) + 1, size: size)
                sums.insert(sum(packet, family))
                if let size {
                    #expect(packet.size + (family == .ipv4 ? 20 : 40) + (packet.layout == .echo ? 0 : 8) == size)
                }
            }
        }
        #expect(sums.count == 1, "\(sums)")
    }

    @Test func `echo requests of two flows differ in their checksum, by which routers divide them`() {
        let destination = Self.destinations[2]
        let flows = [3, 4].map { identifier in packet(9, destination, identifier: identifier).head[2..<4] }
        #expect(flows[0] != flows[1])
        for number in Self.numbers {
            let head = packet(number, destination).head
            #expect(head.withUnsafeBytes(InternetChecksum.of) == 0)
            #expect(head[2..<4] != [0, 0])
        }
    }

    @Test(arguments: destinations)
    func `a quotation identifies its probe if it is long enough, and never another one`(destination: PathDestination) {
        for number in Self.numbers {
            let sent = packet(number, destination)
            let whole = sent.layout.identity.upperBound
            for count in 0...sent.head.count {
                let quotation = sent.head[..<count]
                #expect(sent.match(quotation) == (count >= whole ? .identity : .beginning), "\(count)")
                let filled = Array(quotation) + Array(repeating: 0, count: 128 - count)
                #expect(sent.match(filled[...]) != .none, "\(count) bytes and zeros")
                for other in Self.numbers where other != number {
                    #expect(packet(other, destination).match(quotation) != .identity)
                }
                #expect(packet(number, destination, key: 0xA1B2_C3D5).match(quotation) != .identity)
            }
            #expect(sent.layout.number(in: sent.head[...]) == number)
            var padded = Array(repeating: UInt8(9), count: 3) + sent.head
            padded.append(9)
            #expect(sent.layout.number(in: padded[3...]) == number)
            #expect(sent.match(padded[3...]) == .identity)
        }
    }

    @Test(arguments: destinations)
    func `a quotation with a changed bit of the identity is of another packet`(destination: PathDestination) {
        let sent = packet(0x1234_5678, destination)
        for index in sent.layout.identity {
            for bit in 0..<8 {
                var changed = sent.head
                changed[index] ^= 1 << bit
                #expect(sent.match(changed[...]) == .none)
                #expect(!sent.isReturned(by: changed[...]))
            }
        }
    }

    @Test func `the packet for a name server is a query that it can answer`() {
        let bytes = packet(0x0102_03FF, Self.destinations[1]).bytes
        // Flags, one question, no records.
        #expect(Array(bytes[2..<12]) == [0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        var question: [UInt8] = [16]
        question += Array("010203ffa1b2c3d4".utf8)
        question += [7]
        question += Array("invalid".utf8)
        question += [0, 0, 1, 0, 1]
        #expect(Array(bytes[12...]) == question)
    }
}

struct PathAnswerKindTests {
    private func kind(
        _ type: UInt8,
        _ code: UInt8,
        _ family: IPAddress.Family = .ipv4,
        mtu: UInt32 = 0,
        destination: Bool = false
    )
        -> PathAnswer.Kind?
    {
        PathAnswer.Kind(icmpType: type, code: code, family: family, mtu: mtu, isFromDestination: destination)
    }

    @Test func `types and codes have their meaning in both families`() {
        #expect(kind(11, 0) == .exceeded)
        #expect(kind(11, 1) == nil)
        #expect(kind(3, 0) == .unreachable(.networkUnreachable))
        #expect(kind(3, 1) == .unreachable(.hostUnreachable))
        #expect(kind(3, 13) == .unreachable(.prohibited))
        #expect(kind(3, 4, mtu: 1_400) == .tooBig(mtu: 1_400))
        #expect(kind(3, 0, .ipv6) == .exceeded)
        #expect(kind(3, 1, .ipv6) == nil)
        #expect(kind(1, 0, .ipv6) == .unreachable(.networkUnreachable))
        #expect(kind(1, 3, .ipv6) == .unreachable(.hostUnreachable))
        #expect(kind(1, 1, .ipv6) == .unreachable(.prohibited))
        #expect(kind(2, 0, .ipv6, mtu: 1_280) == .tooBig(mtu: 1_280))
        #expect(kind(0, 0) == nil)
        // The target has no such protocol: it is reached.
        #expect(kind(3, 2) == .unreachable(.protocolUnreachable))
        #expect(kind(3, 2, destination: true) == .reached(.refused))
        // Unknown codes, and headers that a router does not accept.
        for (type, code, family) in [(3, 200, .ipv4), (12, 0, .ipv4), (1, 7, .ipv6), (4, 1, .ipv6)]
            as [(UInt8, UInt8, IPAddress.Family)]
        {
            #expect(kind(type, code, family) == .unreachable(.other))
        }
        // A redirect, and a group of hosts.
        #expect(kind(5, 0) == nil && kind(130, 0, .ipv6) == nil)
    }

    @Test func `a refusal reaches the destination only if the destination sent it`() {
        for (type, code, family) in [(3, 3, .ipv4), (1, 4, .ipv6)] as [(UInt8, UInt8, IPAddress.Family)] {
            #expect(kind(type, code, family, destination: true) == .reached(.refused))
            #expect(kind(type, code, family, destination: false) == .unreachable(.refused))
        }
    }
}
