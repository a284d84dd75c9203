import NIOCore
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

struct EchoFuzzTests {
    private static let process: UInt64 = 0x0102_0304_0506_0708
    private static let router = IPAddress(ipv4: 0xC000_0201)

    /// The pending probes, and a table with no other requests.
    private static func waiting() -> (table: EchoTable, probes: [Probe]) {
        var table = EchoTable(process: process)
        let hosts = ["192.0.2.5", "2001:db8::5", "192.0.2.5"]
        let probes = hosts.enumerated().map { Probe.icmp($1, target: $0) }
        for probe in probes { _ = table.add(probe, at: .zero) }
        return (table, probes)
    }

    private static func echo(_ kind: EchoPacket.Kind, _ family: IPAddress.Family, slot: UInt32, size: Int) -> [UInt8] {
        let cookie = EchoCookie(process: process, slot: slot, generation: 0)
        var buffer = ByteBuffer()
        EchoPacket(kind, family: family, identifier: 7, sequence: UInt16(slot + 1), cookie: cookie)
            .write(to: &buffer, size: size)
        return Array(buffer.readableBytesView)
    }

    private static func ipv4Header(words: UInt8) -> [UInt8] {
        let header: [UInt8] = [0x40 | words, 0, 0, 84, 0, 1, 0x40, 0, 1, 1, 0, 0, 10, 0, 0, 2, 192, 0, 2, 5]
        return header + Array(repeating: 0, count: Int(words) * 4 - 20)
    }

    private static func ipv6Header(next: UInt8) -> [UInt8] {
        let address: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11)
        return [0x60, 0, 0, 0, 0, 64, next, 1] + address + [2] + address + [5]
    }

    /// Replies, requests, and errors about requests, as datagram sockets and raw sockets deliver them.
    private static let corpus: [[UInt8]] = {
        let (four, six) = (echo(.request, .ipv4, slot: 0, size: 56), echo(.request, .ipv6, slot: 1, size: 56))
        let bare = [echo(.reply, .ipv4, slot: 0, size: 56), echo(.reply, .ipv4, slot: 2, size: 16), four, six]
        let errors = [[3, 1], [3, 3], [11, 0]].map { $0 + [0, 0, 0, 0, 0, 0] + ipv4Header(words: 5) + four }
        let long = [3, 13, 0, 0, 0, 0, 0, 0] + ipv4Header(words: 15) + four
        let late = [[1, 0], [1, 4], [3, 0]].map { $0 + [0, 0, 0, 0, 0, 0] + ipv6Header(next: 58) + six }
        let fragment = [1, 3, 0, 0, 0, 0, 0, 0] + ipv6Header(next: 44) + [58, 0, 0, 1, 0, 0, 0, 1] + six
        let headerOnly = [11, 0, 0, 0, 0, 0, 0, 0] + ipv4Header(words: 5) + four.prefix(8)
        let whole = bare + errors + late + [long, fragment, headerOnly, echo(.reply, .ipv6, slot: 1, size: 1_400)]
        return whole + [5, 6, 15].flatMap { words in whole.prefix(8).map { ipv4Header(words: words) + $0 } }
    }()

    @Test func `ICMP messages are parsed safely, and none without the cookie is accepted`() async throws {
        let (waiting, probes) = Self.waiting()
        let fuzz = Fuzz(name: "ICMP", corpus: Self.corpus, words: [[0x45, 0], [192, 0, 2, 5], [0, 0, 0, 1]])
        await fuzz.run(often: ["answer", "echo", "error", "refused", "noise"]) { input in
            let bytes = input.bytes
            let family: IPAddress.Family = input.number(below: 3) == 0 ? .ipv6 : .ipv4
            let buffer = input.buffer()
            try Self.holdRoundTrip(by: &input)
            var table = waiting
            if let packet = EchoPacket(reading: buffer, family: family) {
                guard packet.kind == .reply else { return "echo" }
                let source = probes[input.number(below: 3)].address ?? Self.router
                let verdict = table.reply(
                    sequence: packet.sequence,
                    cookie: packet.cookie,
                    from: source,
                    at: .milliseconds(5)
                )
                guard verdict != .unmatched else { return "echo" }
                guard case .reply(let probe, roundTrip: .milliseconds(5)) = verdict else {
                    throw FuzzFailure(description: "\(verdict)")
                }
                try hold(probe.address == source, "a reply from another address")
                let proof = Self.echo(.reply, family, slot: UInt32(probe.target.rawValue), size: 16)[6...]
                try hold(bytes.contains(proof), "a reply without the cookie")
                return "answer"
            }
            guard let error = EchoError(reading: buffer, family: family) else { return "noise" }
            try holdShort(Failure(error.reason, reportedBy: Self.router).detail)
            guard let probe = table.fail(error, at: .milliseconds(5)) else { return "error" }
            let quoted = Self.echo(.request, family, slot: UInt32(probe.target.rawValue), size: 16)[6...]
            try hold(probe.address == error.destination, "about another host")
            try hold(bytes.contains(error.cookie == nil ? quoted.prefix(2) : quoted), "about another request")
            return "refused"
        }
    }

    /// Checks that a written packet is parsed to the same packet.
    private static func holdRoundTrip(by input: inout FuzzInput) throws {
        let (one, two) = (input.random.next(), input.random.next())
        let packet = EchoPacket(
            one & 1 == 0 ? .request : .reply,
            family: one & 2 == 0 ? .ipv4 : .ipv6,
            identifier: UInt16(truncatingIfNeeded: one >> 2),
            sequence: UInt16(truncatingIfNeeded: one >> 18),
            cookie: EchoCookie(
                process: two,
                slot: UInt32(truncatingIfNeeded: one >> 32),
                generation: UInt32(truncatingIfNeeded: two >> 7)
            )
        )
        var buffer = input.buffer()
        buffer.moveReaderIndex(to: buffer.writerIndex)
        packet.write(to: &buffer, size: Int(two % 100))
        try hold(EchoPacket(reading: buffer, family: packet.family) == packet, "parsed to another packet: \(packet)")
    }
}

struct NetlinkFuzzTests {
    /// A message of this type, in host byte order, with `count` bytes after its header.
    private static func message(_ type: UInt16, _ count: Int, flags: UInt32 = 0) -> [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(16 + count), endianness: .host)
        buffer.writeInteger(type, endianness: .host)
        buffer.writeRepeatingByte(0, count: 10 + count)
        if count >= 12 { buffer.setInteger(flags, at: 16 + 8, endianness: .host) }
        return Array(buffer.readableBytesView)
    }

    @Test func `messages of the kernel are parsed safely, and malformed ones count as every subject`() async {
        let single = [16, 17, 20, 21, 24, 25].map { Self.message($0, 12) }
        let odd = [Self.message(3, 0), Self.message(2, 20), Self.message(24, 12, flags: 0x200), Self.message(20, 5)]
        let fuzz = Fuzz(name: "netlink", corpus: single + odd + [Array(single.joined()), single[0] + odd[0]])
        await fuzz.run(often: ["1", "2", "4", "7", "0"]) { input in
            let news = NetworkMessages(reading: input.buffer())
            try hold(news.isSubset(of: .anything), "\(news)")
            if (1..<16).contains(input.bytes.count) { try hold(news == .anything, "too short, and \(news)") }
            return "\(news.rawValue)"
        }
    }
}
