#if os(Linux)
import Foundation
import ReachMonitoring
import ReachSystem
import TestSupport

@testable import ReachProbing

/// Routers and a host behind a tunnel, whose answers a test chooses. Confined to a thread in the tunnel's network.
struct SimulatedRouters {
    /// The address of this end.
    static let here: [UInt8] = [192, 0, 2, 1]
    /// The destination of the probes.
    static let host = "198.51.100.9"

    /// A probe that the routers receive, with its IPv4 header.
    struct Packet {
        let bytes: [UInt8]

        var hop: Int { Int(bytes[8]) }
        var sourcePort: Int { Int(bytes[20]) << 8 | Int(bytes[21]) }
        var isUnfragmented: Bool { bytes[6] & 0x40 != 0 }
        /// The checksum of UDP or ICMP.
        var checksum: [UInt8] { Array(bytes[9] == 1 ? bytes[22..<24] : bytes[26..<28]) }
    }

    /// What a router sends.
    struct Answer {
        var source: [UInt8]
        var type: UInt8 = 11
        var code: UInt8 = 0
        var mtu: UInt16 = 0
        /// The number of quoted bytes.
        var quoted = 548
        /// Extensions after a quotation of 128 bytes (RFC 4884).
        var extensions: [UInt8] = []
        /// Changes the quotation.
        var change: (inout [UInt8]) -> Void = { _ in }

        /// The router of a hop.
        static func router(_ hop: Int) -> Answer { Answer(source: [203, 0, 113, UInt8(hop)]) }

        /// The ICMP message about a packet.
        func message(about packet: Packet) -> [UInt8] {
            var quotation = Array(packet.bytes.prefix(quoted))
            if !extensions.isEmpty {
                quotation = Array(quotation.prefix(128)) + Array(repeating: 0, count: max(0, 128 - quotation.count))
            }
            change(&quotation)
            var message: [UInt8] = [
                type, code, 0, 0, 0, extensions.isEmpty ? 0 : 32, UInt8(mtu >> 8), UInt8(mtu & 0xFF),
            ]
            message += quotation + extensions
            return SimulatedRouters.packet(from: source, protocol: 1, SimulatedRouters.summed(message, at: 2))
        }
    }

    let tunnel: Tunnel

    /// Creates the network of the calling thread.
    init() throws {
        tunnel = try Tunnel(raisedAt: (192, 0, 2, 1))
        try Command.must("ip", "route", "add", "default", "dev", tunnel.name)
        try Command.write("0 2147483647", to: "/proc/sys/net/ipv4/ping_group_range")
    }

    /// Returns the probes that have arrived.
    func receive() -> [Packet] {
        var packets: [Packet] = []
        while let bytes = tunnel.receive() {
            // Router solicitations are of IPv6.
            if bytes.count >= 28, bytes[0] >> 4 == 4 { packets.append(Packet(bytes: bytes)) }
        }
        return packets
    }

    /// Sends an answer to a packet.
    func send(_ answer: Answer, about packet: Packet) {
        tunnel.send(answer.message(about: packet))
    }

    /// Sends a datagram from a port, as the answer to a packet.
    func sendDatagram(_ payload: [UInt8], from source: [UInt8], answering packet: Packet) {
        let ports = Array(packet.bytes[22..<24]) + Array(packet.bytes[20..<22])
        let length = payload.count + 8
        // IPv4 datagrams need no checksum.
        let datagram = ports + [UInt8(length >> 8), UInt8(length & 0xFF), 0, 0] + payload
        tunnel.send(Self.packet(from: source, protocol: 17, datagram))
    }

    /// Writes a checksum into a message.
    static func summed(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
        var bytes = bytes
        let sum = bytes.withUnsafeBytes(InternetChecksum.of)
        bytes.replaceSubrange(offset..<offset + 2, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
        return bytes
    }

    private static func packet(from source: [UInt8], protocol number: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 20
        let header: [UInt8] = [0x45, 0, UInt8(length >> 8), UInt8(length & 0xFF), 0, 0, 0, 0, 60, number, 0, 0]
        return summed(header + source + here, at: 10) + content
    }
}

/// Programs and files of the system that tests use.
enum Command {
    struct Failed: Error {
        let command: String
    }

    /// Runs a program in the network of the calling thread; throws if it fails.
    static func must(_ words: String...) throws { try must(words) }

    /// Runs a program in the network of the calling thread; throws if it fails.
    static func must(_ words: [String]) throws {
        var arguments: [UnsafeMutablePointer<CChar>?] = (["/usr/bin/env"] + words).map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var child: pid_t = 0
        guard posix_spawn(&child, "/usr/bin/env", nil, nil, arguments, environ) == 0 else {
            throw Failed(command: words.joined(separator: " "))
        }
        var status: CInt = 0
        waitpid(child, &status, 0)
        guard status == 0 else { throw Failed(command: words.joined(separator: " ")) }
    }

    /// Writes a kernel parameter of the network of the calling thread.
    static func write(_ value: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY)
        defer { close(descriptor) }
        guard descriptor >= 0, value.withCString({ ReachSystem.write(descriptor, $0, strlen($0)) }) > 0 else {
            throw Failed(command: path)
        }
    }
}
#endif
