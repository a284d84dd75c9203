#if os(Linux)
import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachProbing

struct PathFuzzTests {
    private static let key: UInt32 = 0xA1B2_C3D4
    private static let hosts = ["192.0.2.5", "192.0.2.6"]
    private static let destinations = hosts.flatMap { host in
        [
            PathDestination(address: host, method: .udp, port: 9),
            PathDestination(address: host, method: .udp, port: 53),
            PathDestination(address: host, method: .icmp),
        ]
    }

    /// Two probes of each destination that wait on socket 1, and the packets of all.
    private static func waiting() -> (table: PathTable, packets: [PathPacket]) {
        var table = PathTable(key: key)
        var packets: [PathPacket] = []
        for (index, destination) in (destinations + destinations).enumerated() {
            let probe = PathProbe(number: UInt32(index + 1), destination: destination, hop: index + 1)
            let packet = PathPacket(probe, family: .ipv4, key: key, identifier: 7)
            packets.append(packet)
            guard let address = IPAddress(literal: destination.address) else { continue }
            table.add(PathTable.Entry(probe: probe, address: address, socket: 1, packet: packet, sent: .zero))
        }
        return (table, packets)
    }

    @Test func `quotations and answers are parsed safely, and only sent probes are answered`() async {
        let (waiting, packets) = Self.waiting()
        // A packet that was never sent.
        let other = PathPacket(
            PathProbe(number: 99, destination: Self.destinations[0], hop: 1),
            family: .ipv4,
            key: Self.key,
            identifier: 7
        )
        let corpus = (packets + [other]).flatMap { [$0.bytes, $0.bytes + Array(repeating: 0, count: 100)] }
        let fuzz = Fuzz(name: "paths", corpus: corpus, words: [[0, 0, 0, 1], [0xA1, 0xB2, 0xC3, 0xD4]])
        await fuzz.run(often: ["identity", "nothing"]) { input in
            var table = waiting
            let bytes = input.bytes[...]
            let index = input.number(below: Self.destinations.count)
            let destination = Self.destinations[index]
            guard let address = IPAddress(literal: destination.address) else { return "nothing" }
            let layout = PathLayout(of: destination)
            let isQuoted = input.number(below: 2) == 0
            let entry =
                isQuoted
                ? table.claim(quoting: bytes, to: address, port: destination.port, of: 1, layout: layout)
                : table.claim(answeredBy: bytes, from: address, port: destination.port, of: 1, layout: layout)
            guard let entry, let packet = entry.packet else { return "nothing" }
            let range = layout == .echo ? 4..<8 : 0..<0
            let proof = packet.head[layout.identity]
            let isWhole = bytes.count >= layout.identity.upperBound && bytes[layout.identity] == proof
            // A target may answer from another address.
            let isElsewhere = entry.probe.destination != destination
            try hold(!isElsewhere || isWhole && !isQuoted, "about another destination")
            if !isQuoted { return isWhole ? "identity" : "only" }
            try hold(
                isWhole || bytes.starts(with: packet.head.prefix(1)) || bytes.allSatisfy { $0 == 0 },
                "no quotation"
            )
            try hold(isWhole || range.isEmpty || bytes.count >= 8 && bytes[range] == packet.head[range], "no header")
            return isWhole ? "identity" : "beginning"
        }
    }

    @Test func `the error queue and extensions are parsed safely, and labels need their checksum`() async {
        let quoted = Array(repeating: UInt8(1), count: 12) + Array(repeating: UInt8(0), count: 88)
        let extensions = ExtensionBytes.stack([7 << 12 | 64, 8 << 12 | 1])
        let corpus = [0, 100].flatMap { length in
            [
                PathErrorEntryTests.control(origin: 2, type: 11, code: 0, length: length),
                PathErrorEntryTests.control(origin: 1, type: 0, code: 0, error: EMSGSIZE, info: 1_500),
            ].map { $0 + quoted + extensions }
        }
        let fuzz = Fuzz(name: "pathErrors", corpus: corpus, words: [[0x20, 0, 0, 0], [0, 8, 1, 1], [0xFF, 0xFF]])
        await fuzz.run(often: ["labels", "none", "local"]) { input in
            let bytes = input.bytes
            let size = PathErrorEntryTests.control(origin: 2, type: 11, code: 0).count
            let control = Array(bytes.prefix(size))
            guard let entry = control.withUnsafeBytes({ PathErrorEntry(control: $0) }) else { return "none" }
            let rest = bytes.dropFirst(size)
            let (quotation, labels) = entry.divide(rest, headers: input.number(below: 2) == 0 ? 28 : 20)
            try hold(rest.starts(with: quotation), "not the beginning")
            if !labels.isEmpty {
                let tail = rest.dropFirst(quotation.count)
                try hold(labels.count * 4 <= tail.count - 8, "more labels than bytes")
                try hold(labels.allSatisfy { $0.label < 1 << 20 && $0.trafficClass < 8 }, "\(labels)")
                return "labels"
            }
            if case .tooBigToSend = entry.cause { return "local" }
            return "message"
        }
    }
}
#endif
