import LibC
import Monitoring
import NIOCore

/// A socket that sends echo requests of one kind and hears their replies. Confined to its event loop.
///
/// SwiftNIO does not write: its datagram channel closes itself, and fails everything behind, when one
/// packet meets an unreachable network or a local filter. A `sendto` of our own costs no more at these rates, tells
/// exactly which probe failed, and leaves exactly when it is stamped.
final class EchoSocket {
    /// What the packets of one socket have in common.
    struct Kind: Sendable, Hashable {
        let family: IPAddress.Family
        let ttl: Int
        let dscp: Int
        /// Whether they are so small that every network takes them whole.
        var isSmall = true
        var origin: Origin?
    }

    let kind: Kind
    private let descriptor: CInt
    private let reader: any EchoReader

    private init(_ kind: Kind, descriptor: CInt, reader: any EchoReader) {
        self.kind = kind
        self.descriptor = descriptor
        self.reader = reader
    }

    /// Opens a socket, which tells the listener whatever comes of it.
    ///
    /// - Parameter identifier: the identifier of the requests, by which a raw socket knows their replies.
    static func open(
        _ kind: Kind,
        identifier: UInt16,
        on loop: any EventLoop,
        for listener: EchoListener
    ) throws(Fault) -> EchoSocket {
        let descriptor = try descriptor(for: kind)
        #if os(Linux)
            let isRaw = SocketType.of(descriptor) == SocketType.raw
            let filter = isRaw ? RawEchoFilter(identifier: identifier, family: kind.family) : nil
            let reader = DatagramQueue(
                of: descriptor,
                // A checksum takes the whole packet.
                room: isRaw ? EchoHandler.longestPacket : EchoHandler.packetSize,
                on: loop,
                for: DatagramListener(listener, filter: filter)
            )
        #else
            let reader = try EchoChannel(of: descriptor, on: loop, for: listener)
        #endif
        return EchoSocket(kind, descriptor: descriptor, reader: reader)
    }

    /// Whether it can still send and hear.
    var isOpen: Bool {
        reader.isOpen
    }

    /// Sends a packet; the error number says what came of it, zero that it left.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        // A closed socket's descriptor may be another socket's by now.
        guard reader.isOpen else { return EBADF }
        return packet.withUnsafeReadableBytes { bytes in
            address.withSocketAddress { sendDatagram(bytes, by: descriptor, to: $0, $1) }
        }
    }

    /// Reads what is there.
    ///
    /// - Parameter isPolled: whether this is called often enough for nothing else to wake the loop for what comes.
    func read(isPolled: Bool) {
        reader.read(isPolled: isPolled)
    }

    func close() {
        reader.close()
    }
}
