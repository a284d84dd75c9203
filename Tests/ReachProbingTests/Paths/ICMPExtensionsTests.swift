import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachProbing

/// Builds the extensions of ICMP messages.
enum ExtensionBytes {
    /// Extensions with a label stack of these words, and an object of another class before it.
    static func stack(_ words: [UInt32], checksum: Bool = true) -> [UInt8] {
        let labels = words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
        var bytes: [UInt8] = [0x20, 0, 0, 0, 0, 8, 2, 1, 1, 2, 3, 4, 0, UInt8(4 + labels.count), 1, 1] + labels
        guard checksum else { return bytes }
        let sum = bytes.withUnsafeBytes(InternetChecksum.of)
        bytes.replaceSubrange(2..<4, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return bytes
    }
}

struct ICMPExtensionsTests {
    /// Label 24,012 with traffic class 5 and a time to live of 1; below it label 16, the bottom of the stack.
    private static let bytes = ExtensionBytes.stack([24_012 << 12 | 5 << 9 | 1, 16 << 12 | 1 << 8 | 254])

    @Test func `labels are read in the order of the stack, after other objects`() throws {
        let extensions = try #require(ICMPExtensions(reading: Self.bytes[...], needsChecksum: true))
        #expect(
            extensions.labels == [
                MPLSLabel(label: 24_012, trafficClass: 5, timeToLive: 1),
                MPLSLabel(label: 16, trafficClass: 0, timeToLive: 254),
            ]
        )
    }

    @Test func `truncated, damaged and foreign bytes have no labels`() {
        for count in 0..<Self.bytes.count { #expect(ICMPExtensions(reading: Self.bytes[..<count]) == nil, "\(count)") }
        for index in Self.bytes.indices {
            var changed = Self.bytes
            changed[index] ^= 0x40
            #expect(ICMPExtensions(reading: changed[...]) == nil, "\(index)")
        }
        let plain = ExtensionBytes.stack([1], checksum: false)
        #expect(ICMPExtensions(reading: plain[...]) != nil)
        #expect(ICMPExtensions(reading: plain[...], needsChecksum: true) == nil)
    }
}

#if os(Linux)
struct PathErrorEntryTests {
    /// A control message with a `sock_extended_err`, and the address of a router.
    static func control(
        origin: UInt8,
        type: UInt8,
        code: UInt8,
        error: CInt = EHOSTUNREACH,
        info: UInt32 = 0,
        length: UInt16 = 0
    ) -> [UInt8] {
        var body = withUnsafeBytes(of: error) { Array($0) } + [origin, type, code, 0]
        body += withUnsafeBytes(of: info) { Array($0) } + withUnsafeBytes(of: length) { Array($0) } + [0, 0]
        body += [2, 0, 0, 0, 192, 0, 2, 7, 0, 0, 0, 0, 0, 0, 0, 0]
        let header = MemoryLayout<Int>.size + 8
        var bytes = withUnsafeBytes(of: header + body.count) { Array($0) }
        for word in [CInt(IPPROTO_IP), CInt(IP_RECVERR)] { bytes += withUnsafeBytes(of: word) { Array($0) } }
        return bytes + body
    }

    private func read(_ bytes: [UInt8]) -> PathErrorEntry? { bytes.withUnsafeBytes { PathErrorEntry(control: $0) } }

    @Test func `an entry has the router, its message and the MTU`() throws {
        let entry = try #require(read(Self.control(origin: 2, type: 3, code: 4, error: EMSGSIZE, info: 1_400)))
        guard case .message(let message, mtu: 1_400) = entry.cause else {
            Issue.record("\(entry)")
            return
        }
        #expect((message.type, message.code) == (3, 4))
        #expect(message.offender.map { "\($0)" } == "192.0.2.7")
    }

    @Test func `a packet that was too big to send has the MTU of the link, and other local errors are none`() throws {
        let entry = read(Self.control(origin: 1, type: 0, code: 0, error: EMSGSIZE, info: 1_500))
        #expect(entry?.cause == .tooBigToSend(mtu: 1_500))
        #expect(read(Self.control(origin: 1, type: 0, code: 0, error: EPERM, info: 1_500)) == nil)
        #expect(read(Self.control(origin: 4, type: 11, code: 0)) == nil)
    }

    @Test func `labels are found by the length of the quotation, and at byte 128 without it`() throws {
        let extensions = ExtensionBytes.stack([7 << 12 | 64])
        let quoted = Array(repeating: UInt8(1), count: 12) + Array(repeating: UInt8(0), count: 100 - 12)
        for (length, bytes) in [(100, quoted + extensions), (0, quoted + extensions)] {
            let entry = try #require(read(Self.control(origin: 2, type: 11, code: 0, length: UInt16(length))))
            let (quotation, labels) = entry.divide(bytes[...], headers: 28)
            #expect(quotation == quoted[...])
            #expect(labels == [MPLSLabel(label: 7, trafficClass: 0, timeToLive: 64)])
        }
        // A quotation of 200 bytes without extensions.
        let entry = try #require(read(Self.control(origin: 2, type: 11, code: 0)))
        let long = Array(repeating: UInt8(0x20), count: 172)
        #expect(entry.divide(long[...], headers: 28).quotation == long[...])
        #expect(entry.divide(long[...], headers: 28).labels.isEmpty)
    }
}
#endif
