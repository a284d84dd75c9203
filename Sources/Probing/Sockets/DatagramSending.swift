import LibC

/// Offers a datagram to the kernel; the error number says what came of it, zero that it left.
///
/// What the network says about an earlier datagram makes the next call fail as well, whatever that sends, and is forgotten
/// by that: so it is offered up to four times.
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
    }
    return code
}
