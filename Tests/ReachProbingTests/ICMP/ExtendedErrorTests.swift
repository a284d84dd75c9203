#if os(Linux)

import NIOCore
import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachProbing

/// Control messages captured on a 64-bit kernel.
struct ExtendedErrorTests {
    /// The length, level and type of an entry in a socket's error queue, for each family.
    private static let header: [IPAddress.Family: String] = [
        .ipv4: "3000000000000000 00000000 0b000000",
        .ipv6: "3c00000000000000 29000000 19000000",
    ]

    private func bytes(_ text: String) -> [UInt8] {
        let digits = text.filter { $0 != " " }.map { UInt8(String($0), radix: 16) ?? 0 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private func read(_ bytes: [UInt8]) -> ExtendedError? {
        bytes.withUnsafeBytes { ExtendedError(control: $0) }
    }

    @Test(
        arguments: [
            (
                .ipv4, "71000000 02030d00 00000000 00000000 02000000c0000202 0000000000000000", .prohibited,
                "192.0.2.2"
            ),
            (
                .ipv4, "71000000 02030100 00000000 00000000 02000000c0000201 0000000000000000", .hostUnreachable,
                "192.0.2.1"
            ),
            (
                .ipv4, "65000000 02030000 00000000 00000000 02000000c0000202 0000000000000000",
                .networkUnreachable, "192.0.2.2"
            ),
            (
                .ipv4, "71000000 020b0000 00000000 00000000 02000000c0000202 0000000000000000", .ttlExceeded,
                "192.0.2.2"
            ),
            (
                .ipv6,
                "0d000000 03010100 00000000 00000000 0a000000 00000000 20010db8000100000000000000000002 00000000",
                .prohibited, "2001:db8:1::2"
            ),
            (
                .ipv6,
                "71000000 03010300 00000000 00000000 0a000000 00000000 20010db8000100000000000000000001 00000000",
                .hostUnreachable, "2001:db8:1::1"
            ),
            (
                .ipv6,
                "65000000 03010000 00000000 00000000 0a000000 00000000 20010db8000100000000000000000002 00000000",
                .networkUnreachable, "2001:db8:1::2"
            ),
        ] as [(IPAddress.Family, String, Reason, String)]
    )
    func `an error has its reason and its sender`(
        family: IPAddress.Family,
        body: String,
        reason: Reason,
        offender: String
    ) throws {
        let control = bytes(try #require(Self.header[family]) + body)
        let error = try #require(read(control))
        #expect(error.reason == reason)
        #expect(error.offender.map { "\($0)" } == offender)
        // A time stamp (SO_TIMESTAMP), if present, comes first, padded to eight bytes.
        let stamp = bytes("1c00000000000000 01000000 1d000000 010203040506070809101112 00000000")
        #expect(read(stamp + control) == error)
        for length in 0..<control.count where length < 32 || family == .ipv4 {
            #expect(read(Array(control.prefix(length))) == nil, "\(length) bytes")
        }
    }

    @Test func `errors of the kernel and those that are no verdict have no reason`() throws {
        let header = try #require(Self.header[.ipv4])
        let sender = "0000000000000000 00000000000000000000000000000000"
        #expect(read(bytes(header + "5a000000 01000000" + sender)) == nil, "too big for the first link")
        let tooBig = try #require(read(bytes(header + "5a000000 02030400" + sender)))
        #expect(tooBig.reason == nil)
        #expect(tooBig.offender == nil)
    }

    @Test func `invalid lengths are rejected`() {
        for length in ["0000000000000000", "0f00000000000000", "ffffffffffffff7f", "ffffffffffffffff"] {
            #expect(read(bytes(length + "00000000 0b000000" + "71000000 02030d00 00000000 00000000")) == nil)
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var control = bytes("3000000000000000 00000000 0b000000 71000000 02030d00 00000000 00000000")
            control += bytes("02000000c0000202 0000000000000000")
            control[Int.random(in: 0..<control.count)] = .random(in: .min ... .max, using: &generator)
            _ = read(Array(control.prefix(Int.random(in: 0...control.count))))
        }
    }

    @Test func `without a sender the detail has none`() throws {
        var quotation = ByteBuffer()
        let cookie = EchoCookie(process: 1, slot: 2, generation: 3)
        EchoPacket(.request, family: .ipv4, identifier: 4, sequence: 5, cookie: cookie)
            .write(to: &quotation, size: 56)
        let here = IPAddress(ipv4: 0xC000_0201)
        let error = try #require(EchoError(reason: .hostUnreachable, destination: here, quotation: quotation))
        #expect(Failure(error.reason, reportedBy: nil) == Failure(.hostUnreachable, detail: "host unreachable"))
    }
}

struct KernelStampTests {
    /// A control message, complete or truncated.
    private func message(_ level: CInt, _ type: CInt, _ body: [Int64], length: Int? = nil) -> [UInt8] {
        let header = MemoryLayout<Int>.size + 8
        var bytes = withUnsafeBytes(of: length ?? header + body.count * 8) { Array($0) }
        for word in [level, type] { bytes += withUnsafeBytes(of: word) { Array($0) } }
        for word in body { bytes += withUnsafeBytes(of: word) { Array($0) } }
        return bytes
    }

    private func time(_ bytes: [UInt8]) -> Duration? {
        bytes.withUnsafeBytes { KernelTimestamp.time(in: $0) }
    }

    @Test func `the time is found among control messages`() {
        let stamp = message(SOL_SOCKET, KernelTimestamp.option, [1_800_000_000, 123_456_789])
        let expected = Duration.seconds(1_800_000_000) + .nanoseconds(123_456_789)
        #expect(time(stamp) == expected)
        #expect(time(message(CInt(IPPROTO_IP), 2, [64]) + stamp) == expected)
        #expect(time(message(CInt(IPPROTO_IP), KernelTimestamp.option, [5, 6]) + stamp) == expected)
    }

    @Test func `truncated messages and invalid lengths have no time`() {
        let stamp = message(SOL_SOCKET, KernelTimestamp.option, [1, 2])
        for count in 0..<stamp.count { #expect(time(Array(stamp.prefix(count))) == nil, "\(count)") }
        for length in [Int.min, -1, 0, 1, 15, 24, 33, .max] {
            #expect(time(message(SOL_SOCKET, KernelTimestamp.option, [1, 2], length: length)) == nil, "\(length)")
        }
    }
}

#endif
