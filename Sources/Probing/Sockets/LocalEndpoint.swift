import LibC

/// The local address and port of a socket.
struct LocalEndpoint: Sendable, Hashable {
    let address: IPAddress
    let port: UInt16

    /// Reads the endpoint of a socket; nil if it has none.
    init?(of descriptor: CInt) {
        var (storage, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard code == 0 else { return nil }
        let address = withUnsafeBytes(of: &storage) { bytes in
            // Both address families have the port after the family (ip(7), ipv6(7)).
            (IPAddress(sockaddr: bytes), UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
        guard let known = address.0 else { return nil }
        (self.address, port) = (known, address.1)
    }

    /// Whether a socket connected to `peer` is connected to itself. A connection to a closed local port may leave from
    /// that very port, and then accepts itself (RFC 9293 §3.5, simultaneous open); so does a datagram.
    func isSame(as peer: IPAddress, port: UInt16) -> Bool {
        self.port == port && peer.isAnswered(by: address)
    }
}
