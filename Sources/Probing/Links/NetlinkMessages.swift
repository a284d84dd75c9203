import NIOCore

/// The messages of one datagram of netlink(7): each has a header of sixteen bytes, in the machine's own byte order, that
/// begins with the length of the whole and the type.
enum NetlinkMessages {
    /// The size of the header.
    static let headerSize = 16

    /// Hands over each message with its type.
    ///
    /// - Returns: Whether all could be read: false once one is cut or torn.
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
            // The next one begins at a multiple of four, and the last one need not be filled up to it.
            rest.moveReaderIndex(forwardBy: min((Int(length) + 3) & ~3, rest.readableBytes))
        }
        return true
    }
}
