#if os(Linux)
import LibC

import Testing

@testable import Probing

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
