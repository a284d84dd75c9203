import LibC

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
