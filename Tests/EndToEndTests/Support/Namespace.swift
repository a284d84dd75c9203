import Foundation
import Synchronization
import TestSupport

/// A network namespace in which only the loopback interface is up. Releasing the last reference deletes it.
final class Namespace: Sendable {
    let name: String

    init() throws {
        name = "reach-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        try Tool.must(["ip", "netns", "add", name])
        try ip("link", "set", "lo", "up")
    }

    deinit {
        _ = try? Tool.must(["ip", "netns", "del", name])
        try? FileManager.default.removeItem(atPath: "/etc/netns/\(name)")
    }

    /// The command line that runs a command in the namespace.
    func words(_ words: String...) -> [String] {
        self.words(words)
    }

    /// The command line that runs a command in the namespace.
    func words(_ words: [String]) -> [String] {
        ["ip", "netns", "exec", name] + words
    }

    /// Runs `ip` in the namespace.
    func ip(_ words: String...) throws {
        try ip(words)
    }

    /// Runs `ip` in the namespace.
    func ip(_ words: [String]) throws {
        try Tool.must(["ip", "-n", name] + words)
    }

    /// Sets a kernel parameter of the namespace.
    func set(_ variable: String, to value: String) throws {
        let path = "/proc/sys/" + variable.replacing(".", with: "/")
        try Tool.must(words("sh", "-c", "echo '\(value)' > \(path)"))
    }

    /// Adds addresses in 192.0.2.0/24 that drop every packet.
    func addVoid(_ addresses: String...) throws {
        try ip("link", "add", "v0", "type", "veth", "peer", "name", "v1")
        try ip("address", "add", "192.0.2.1/24", "dev", "v0")
        try ip("link", "set", "v0", "up")
        try ip("link", "set", "v1", "up")
        for address in addresses {
            // With a permanent neighbour entry, the kernel never resolves the address and reports no failure.
            try ip("neighbour", "add", address, "lladdr", "02:00:00:00:00:01", "dev", "v0", "nud", "permanent")
        }
    }

    /// Connects this namespace (192.0.2.1) with another (192.0.2.2) by interfaces named `v0`.
    func connect(to other: Namespace) throws {
        try ip("link", "add", "v0", "type", "veth", "peer", "name", "v0", "netns", other.name)
        try ip("address", "add", "192.0.2.1/24", "dev", "v0")
        try other.ip("address", "add", "192.0.2.2/24", "dev", "v0")
        try ip("link", "set", "v0", "up")
        try other.ip("link", "set", "v0", "up")
    }

    /// Sets the name server of the namespace.
    func setResolver(_ address: String) throws {
        let folder = "/etc/netns/\(name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("nameserver \(address)\n".utf8).write(to: URL(filePath: "\(folder)/resolv.conf"))
    }
}

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

/// dnsmasq on the loopback address of a namespace, whose programs use it as their resolver. Releasing the last
/// reference kills it.
final class NameServer: Sendable {
    private let child: Child

    /// - Parameter records: a name and its addresses in each: `both.test,192.0.2.2,2001:db8:1::2`.
    init(in network: Namespace, records: [String], scratch: Scratch) async throws {
        try network.setResolver("127.0.0.1")
        let options = [
            "--keep-in-foreground", "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv", "--no-hosts",
            "--local=/test/", "--conf-file=/dev/null", "--pid-file=\(scratch.file("dns.pid"))",
        ]
        child = try Child(
            network.words("dnsmasq") + options + records.map { "--host-record=\($0)" },
            in: scratch.path,
            streams: .files(output: scratch.file("dns.out"), errors: scratch.file("dns.err"))
        )
        // dnsmasq writes this file when it listens.
        _ = try await scratch.number(in: "dns.pid")
    }

    /// Stops answering, without refusing queries.
    func suspend() {
        child.send(SIGSTOP)
    }

    /// Answers again.
    func resume() {
        child.send(SIGCONT)
    }
}
