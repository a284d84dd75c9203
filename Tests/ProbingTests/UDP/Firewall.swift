import LibC

@testable import Probing

/// A firewall that sends ICMP errors about datagrams on loopback. It needs a raw socket.
struct Firewall: ~Copyable {
    private let descriptor: CInt

    init?() {
        descriptor = socket(AF_INET, SocketType.raw, CInt(IPPROTO_ICMP))
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether this user may open a raw socket.
    static let isAllowed: Bool = {
        guard let firewall = Firewall() else { return false }
        return firewall.descriptor >= 0
    }()

    /// Sends an ICMP error about a datagram between these ports, with a type and code of RFC 792 or RFC 1812 §5.2.7.1.
    func refuse(from source: UInt16, to destination: UInt16, type: UInt8, code: UInt8) {
        let loopback: [UInt8] = [127, 0, 0, 1]
        let header: [UInt8] = [0x45, 0, 0, 36, 0, 0, 0, 0, 64, UInt8(IPPROTO_UDP), 0, 0] + loopback + loopback
        // The minimum that RFC 792 requires: many routers quote no more.
        let datagram = source.inNetworkOrder + destination.inNetworkOrder + [0, 16, 0, 0]
        var message: [UInt8] = [type, code, 0, 0, 0, 0, 0, 0] + header + datagram
        let checksum = message.withUnsafeBytes { InternetChecksum.of($0) }
        message.replaceSubrange(2..<4, with: checksum.inNetworkOrder)
        guard let address = IPAddress(bytes: loopback) else { return }
        _ = address.withSocketAddress { sendto(descriptor, message, message.count, 0, $0, $1) }
    }
}
