/// A filter for the packets of a raw socket: the socket receives the ICMP packets of the whole machine, and those of
/// IPv4 before the kernel has verified their checksums (raw(7)).
struct RawEchoFilter: Sendable, Hashable {
    /// The identifier of this process's requests, which the kernel does not change.
    let identifier: UInt16
    let family: IPAddress.Family

    /// Whether a packet is complete, and not a reply to another process.
    func accepts(_ packet: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        if family == .ipv4, let first = packet.first, first >> 4 == 4 { start = Int(first & 0xF) * 4 }
        guard packet.count >= start + EchoPacket.headerSize else { return false }
        let message = UnsafeRawBufferPointer(rebasing: packet[start...])
        // The kernel has verified ICMPv6, whose checksum also covers the addresses.
        if family == .ipv4, InternetChecksum.of(message) != 0 { return false }
        let isReply = message[0] == (family == .ipv4 ? 0 : 129)
        // Errors quote the request with its identifier, which is checked where they are parsed.
        return !isReply || UInt16(bigEndian: message.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) == identifier
    }
}
