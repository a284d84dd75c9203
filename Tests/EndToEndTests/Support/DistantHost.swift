import Foundation
import Synchronization
import TestSupport

/// A host at 192.0.2.2, at the far end of a tunnel into a namespace. It answers echo requests after a chosen delay.
final class DistantHost: Sendable {
    /// Returns the delay of the reply to a request, by its number from zero; nil for no reply.
    typealias ReplyDelay = @Sendable (Int) -> Duration?

    private let isClosing = Atomic(false)

    /// Creates the tunnel and starts to answer.
    init(for namespace: Namespace, replyDelay: @escaping ReplyDelay) throws {
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
                        if let delay = replyDelay(count) { waiting.append((.now + delay, answer)) }
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

    /// Returns the echo reply to an IPv4 packet; nil if the packet is not an echo request.
    private static func answer(to packet: [UInt8]) -> [UInt8]? {
        guard packet.count >= 28, packet[0] == 0x45, packet[9] == UInt8(IPPROTO_ICMP), packet[20] == 8 else {
            return nil
        }
        var answer = packet
        answer.replaceSubrange(12..<20, with: packet[16..<20] + packet[12..<16])
        // The type falls from 8 to 0, so the checksum rises by the same amount (RFC 1624).
        let checksum = UInt32(packet[22]) << 8 + UInt32(packet[23]) + 0x0800
        let folded = (checksum & 0xFFFF) + (checksum >> 16)
        answer[20] = 0
        (answer[22], answer[23]) = (UInt8(folded >> 8), UInt8(folded & 0xFF))
        return answer
    }
}
