import NIOCore

/// A parser for a datagram of netlink(7). Each message has a header of sixteen bytes, in host byte order, that begins
/// with the length of the message and its type.
enum NetlinkMessages {
    /// The size of the header.
    static let headerSize = 16

    /// Calls `body` with each message and its type.
    ///
    /// - Returns: Whether all messages could be read: false once one is truncated or malformed.
    static func read(_ datagram: ByteBuffer, _ body: (_ type: UInt16, _ message: ByteBuffer) -> Void) -> Bool {
        var rest = datagram
        while rest.readableBytes > 0 {
            let start = rest.readerIndex
            guard let length: UInt32 = rest.getInteger(at: start, endianness: .host),
                let type: UInt16 = rest.getInteger(at: start + 4, endianness: .host),
                length >= headerSize, length <= rest.readableBytes,
                let message = rest.getSlice(at: start, length: Int(length))
            else { return false }
            body(type, message)
            // The next message begins at a multiple of four; the last one may lack the padding.
            rest.moveReaderIndex(forwardBy: min((Int(length) + 3) & ~3, rest.readableBytes))
        }
        return true
    }
}
