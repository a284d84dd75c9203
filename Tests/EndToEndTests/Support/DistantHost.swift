import Foundation
import Synchronization

/// A host at 192.0.2.2 that answers echo requests in its own time: the other end of a tunnel into a namespace.
final class DistantHost: Sendable {
    /// Says how long the answer to the request of this number, counted from zero, takes; nil for no answer.
    typealias Pace = @Sendable (Int) -> Duration?

    private let isClosing = Atomic(false)
    private let tunnel: Int32

    /// Puts the host at the end of a tunnel.
    init(for namespace: Namespace, pace: @escaping Pace) throws {
        let tunnel = open("/dev/net/tun", O_RDWR | O_CLOEXEC)
        guard tunnel >= 0 else { throw Missing(description: "/dev/net/tun: \(String(cString: strerror(errno)))") }
        self.tunnel = tunnel
        let name = "t\(String(UInt32.random(in: .min ... .max), radix: 36))"
        // A struct ifreq: 16 bytes of name, then IFF_TUN | IFF_NO_PI; the request is TUNSETIFF.
        var request = Array(name.utf8) + [UInt8](repeating: 0, count: 40 - name.utf8.count)
        (request[16], request[17]) = (0x01, 0x10)
        guard ioctl(tunnel, 0x4004_54CA, &request) == 0 else {
            close(tunnel)
            throw Missing(description: "no tunnel: \(String(cString: strerror(errno)))")
        }
        try Tool.must(["ip", "link", "set", name, "netns", namespace.name])
        try namespace.ip("address", "add", "192.0.2.1/24", "dev", name)
        try namespace.ip("link", "set", name, "up")
        Thread.detachNewThread { [weak self] in
            var (count, waiting) = (0, [(due: ContinuousClock.Instant, packet: [UInt8])]())
            var buffer = [UInt8](repeating: 0, count: 2_048)
            while self?.isClosing.load(ordering: .relaxed) == false {
                var polled = pollfd(fd: tunnel, events: Int16(POLLIN), revents: 0)
                if poll(&polled, 1, waiting.isEmpty ? 20 : 1) > 0 {
                    let length = read(tunnel, &buffer, buffer.count)
                    if let answer = Self.answer(to: Array(buffer[..<max(0, length)])) {
                        if let delay = pace(count) { waiting.append((.now + delay, answer)) }
                        count += 1
                    }
                }
                for (_, packet) in waiting where !packet.isEmpty {
                    guard let index = waiting.firstIndex(where: { $0.due <= .now }) else { break }
                    let packet = waiting.remove(at: index).packet
                    _ = write(tunnel, packet, packet.count)
                }
            }
            close(tunnel)
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
