import ReachSystem

/// The socket types, which C libraries declare in different ways.
enum SocketType {
    #if canImport(Glibc)
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    static let raw = CInt(SOCK_RAW.rawValue)
    #else
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    static let raw = SOCK_RAW
    #endif

    #if canImport(Glibc)
    fileprivate static let flags = CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    fileprivate static let flags = SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif

    /// The type of an open socket.
    static func of(_ descriptor: CInt) -> CInt {
        var (type, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size)
        return type
    }
}

/// Opens a socket that does not block, and that child processes do not inherit. Returns a negative number if the system
/// refuses, with the error in `errno`.
func openSocket(_ family: IPAddress.Family, _ type: CInt, protocol number: CInt = 0) -> CInt {
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    #if canImport(Darwin)
    let descriptor = socket(domain, type, number)
    guard descriptor >= 0 else { return descriptor }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
    #else
    return socket(domain, type | SocketType.flags, number)
    #endif
}

/// Sets an option of a socket. Returns the error number; zero if it is set.
@discardableResult
func setOption(_ name: CInt, _ level: CInt, of descriptor: CInt, to value: CInt) -> CInt {
    var value = value
    return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size)) == 0 ? 0 : errno
}

/// Calls the system's `close`, which a method of that name hides.
func closeDescriptor(_ descriptor: CInt) {
    _ = close(descriptor)
}

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

/// Sends a datagram. Returns the error number; zero if it was sent.
///
/// A pending ICMP error about an earlier datagram makes the next call fail, whatever that call sends, and is cleared by
/// it. Therefore the datagram is sent up to four times until a call succeeds. A packet filter's EPERM is never pending, but
/// the ICMP error with which the filter rejects the datagram is.
func sendDatagram(
    _ bytes: UnsafeRawBufferPointer,
    by descriptor: CInt,
    to address: UnsafePointer<sockaddr>,
    _ length: socklen_t
) -> CInt {
    var code: CInt = 0
    for _ in 0..<4 {
        guard sendto(descriptor, bytes.baseAddress, bytes.count, 0, address, length) < 0 else { return 0 }
        code = errno
        if code == EPERM { break }
    }
    return code
}
