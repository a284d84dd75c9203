import Foundation
import Synchronization
import TestSupport

/// A host at 192.0.2.2 that answers echo requests in its own time: the other end of a tunnel into a namespace.
final class DistantHost: Sendable {
    /// Says how long the answer to the request of this number, counted from zero, takes; nil for no answer.
    typealias Pace = @Sendable (Int) -> Duration?

    private let isClosing = Atomic(false)

    /// Puts the host at the end of a tunnel.
    init(for namespace: Namespace, pace: @escaping Pace) throws {
        let tunnel = try Tunnel()
        let name = tunnel.name
        try Tool.must(["ip", "link", "set", name, "netns", namespace.name])
        try namespace.ip("address", "add", "192.0.2.1/24", "dev", name)
        try namespace.ip("link", "set", name, "up")
        Thread.detachNewThread { [weak self] in
            var (count, waiting) = (0, [(due: ContinuousClock.Instant, packet: [UInt8])]())
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = pollfd(fd: tunnel.descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&polled, 1, waiting.isEmpty ? 20 : 1) > 0, let packet = tunnel.receive() {
                    if let answer = Self.answer(to: packet) {
                        if let delay = pace(count) { waiting.append((.now + delay, answer)) }
                        count += 1
                    }
                }
                for (_, packet) in waiting where !packet.isEmpty {
                    guard let index = waiting.firstIndex(where: { $0.due <= .now }) else { break }
                    let packet = waiting.remove(at: index).packet
                    tunnel.send(packet)
                }
            }
            tunnel.close()
        }
    }

    deinit {
        isClosing.store(true, ordering: .relaxed)
    }

    /// The echo reply to an IPv4 packet; nil if that is no echo request.
    private static func answer(to packet: [UInt8]) -> [UInt8]? {
        guard packet.count >= 28, packet[0] == 0x45, packet[9] == UInt8(IPPROTO_ICMP), packet[20] == 8 else {
            return nil
        }
        var answer = packet
        answer.replaceSubrange(12..<20, with: packet[16..<20] + packet[12..<16])
        // The type falls from 8 to 0, so the sum of what is left has to rise by as much (RFC 1624).
        let checksum = UInt32(packet[22]) << 8 + UInt32(packet[23]) + 0x0800
        let folded = (checksum & 0xFFFF) + (checksum >> 16)
        answer[20] = 0
        (answer[22], answer[23]) = (UInt8(folded >> 8), UInt8(folded & 0xFF))
        return answer
    }
}
