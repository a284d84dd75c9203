import LibC
import Monitoring
import NIOCore

/// A socket that sends echo requests of one kind and receives their replies. Confined to its event loop.
///
/// SwiftNIO does not write: its datagram channel closes itself, and fails all queued packets, when one packet meets an
/// unreachable network or a local filter. A direct `sendto` costs no more at these rates, shows exactly which probe
/// failed, and sends exactly when the probe is stamped.
final class EchoSocket {
    /// The properties that the packets of a socket share.
    struct Kind: Sendable, Hashable {
        let family: IPAddress.Family
        let ttl: Int
        let dscp: Int
        /// Whether they are so small that every network carries them unfragmented.
        var isSmall = true
        var origin: Origin?
        /// Whether the kernel reports the hop limits of replies. Only that of Linux does.
        var reportsHopLimit = false
    }

    let kind: Kind
    private let descriptor: CInt
    private let reader: any EchoReader

    private init(_ kind: Kind, descriptor: CInt, reader: any EchoReader) {
        self.kind = kind
        self.descriptor = descriptor
        self.reader = reader
    }

    /// Opens a socket that calls the listener.
    ///
    /// - Parameter identifier: the identifier of the requests, by which a raw socket recognizes their replies.
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
            // The checksum covers the whole packet.
            room: isRaw ? EchoHandler.longestPacket : EchoHandler.packetSize,
            on: loop,
            for: DatagramListener(listener, filter: filter)
        )
        #else
        let reader = try EchoChannel(of: descriptor, on: loop, for: listener)
        #endif
        return EchoSocket(kind, descriptor: descriptor, reader: reader)
    }

    /// Whether the socket can still send and receive.
    var isOpen: Bool {
        reader.isOpen
    }

    /// Sends a packet. Returns the error number; zero if it was sent.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        // The descriptor of a closed socket may belong to another socket now.
        guard reader.isOpen else { return EBADF }
        return packet.withUnsafeReadableBytes { bytes in
            address.withSocketAddress { sendDatagram(bytes, by: descriptor, to: $0, $1) }
        }
    }

    /// Reads the pending packets.
    ///
    /// - Parameter isPolled: whether the caller polls so often that arriving packets need not wake the loop.
    func read(isPolled: Bool) {
        reader.read(isPolled: isPolled)
    }

    func close() {
        reader.close()
    }
}
