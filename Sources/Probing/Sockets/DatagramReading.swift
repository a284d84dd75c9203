#if os(Linux)
import LibC

/// A reusable buffer for one datagram: its beginning, its sender, and the kernel's control messages.
struct DatagramReading {
    /// The size of the control messages, in bytes; more than the kernel adds to an error.
    private static let controlSize = 512

    private var payload: [UInt8]
    private var control = [UInt8](repeating: 0, count: Self.controlSize)
    private var payloadSize = 0
    private var controlSize = 0
    /// The sender of the last datagram; in the error queue, its destination.
    private(set) var address: IPAddress?
    /// The port of the sender, for sockets with ports.
    private(set) var port: UInt16 = 0

    /// - Parameter room: the maximum number of bytes kept of a datagram.
    init(room: Int) {
        payload = [UInt8](repeating: 0, count: room)
    }

    /// The beginning of the last datagram.
    var bytes: ArraySlice<UInt8> { payload[..<payloadSize] }
    /// The control messages of the last datagram (cmsg(3)).
    var messages: ArraySlice<UInt8> { control[..<controlSize] }

    /// Reads the next datagram without blocking.
    ///
    /// - Parameter flags: `MSG_ERRQUEUE` to read the error queue.
    /// - Returns: The error number; zero if there is a datagram.
    mutating func next(from descriptor: CInt, flags: CInt = 0) -> CInt {
        var name = sockaddr_storage()
        let code = withUnsafeMutableBytes(of: &name) { name in
            payload.withUnsafeMutableBytes { payload in
                control.withUnsafeMutableBytes { control in
                    var vector = iovec(iov_base: payload.baseAddress, iov_len: payload.count)
                    return withUnsafeMutablePointer(to: &vector) { vector in
                        var header = msghdr()
                        header.msg_name = name.baseAddress
                        header.msg_namelen = socklen_t(name.count)
                        header.msg_iov = vector
                        header.msg_iovlen = 1
                        header.msg_control = control.baseAddress
                        header.msg_controllen = .init(control.count)
                        let count = recvmsg(descriptor, &header, flags | CInt(MSG_DONTWAIT))
                        guard count >= 0 else { return errno }
                        payloadSize = count
                        controlSize = Int(header.msg_controllen)
                        address = IPAddress(sockaddr: UnsafeRawBufferPointer(name))
                        // Both address families have the port after the family (ip(7), ipv6(7)).
                        port = UInt16(bigEndian: name.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
                        return 0
                    }
                }
            }
        }
        return code
    }
}
#endif
