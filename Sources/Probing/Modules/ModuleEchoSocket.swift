#if Fetch
import LibC
import Monitoring
import NIOCore

/// An ICMP socket that the probes of modules share. Confined to its event loop.
///
/// A socket for each probe takes a fifth of a probe's processor time.
final class ModuleEchoSocket {
    /// The identifier of all requests, by which a raw socket recognizes their replies.
    let identifier = UInt16.random(in: .min ... .max)
    private let loop: any EventLoop
    private var socket: EchoSocket?
    private var isRetired = false
    /// The probes that wait for a reply, by the sequence of their request.
    private var waiting: [UInt16: ICMPModuleProber] = [:]
    private var lastSequence: UInt16 = 0
    /// The hop limit of the packet that is received.
    private var hopLimit: Int?

    init(_ kind: EchoSocket.Kind, on loop: any EventLoop) throws(Fault) {
        self.loop = loop
        var listener = EchoListener(
            receive: { [weak self] bytes, source, _ in self?.receive(bytes, from: source) },
            receiveError: { [weak self] error, source in self?.receive(error, from: source) },
            batchEnded: {},
            ended: {}
        )
        listener.receiveHopLimit = { [weak self] in self?.hopLimit = $0 }
        socket = try EchoSocket.open(kind, identifier: identifier, on: loop, for: listener)
    }

    var isOpen: Bool { socket?.isOpen ?? false }

    /// Whether further probes can use the socket.
    var isUsable: Bool { isOpen && !isRetired }

    /// Lets a probe receive replies until it is removed.
    ///
    /// - Returns: The sequence of its request.
    func add(_ prober: ICMPModuleProber) -> UInt16 {
        repeat { lastSequence &+= 1 } while waiting[lastSequence] != nil
        waiting[lastSequence] = prober
        return lastSequence
    }

    func remove(_ sequence: UInt16) {
        waiting[sequence] = nil
        closeIfUnneeded()
    }

    /// Closes the socket with its last probe.
    func retire() {
        isRetired = true
        closeIfUnneeded()
    }

    /// Sends a packet. Returns the error number; zero if it was sent.
    func send(_ packet: ByteBuffer, to address: IPAddress) -> CInt {
        socket?.send(packet, to: address) ?? EBADF
    }

    private func closeIfUnneeded() {
        guard isRetired, waiting.isEmpty, let socket else { return }
        self.socket = nil
        // The socket may be reading at this moment.
        let bound = NIOLoopBound(socket, eventLoop: loop)
        loop.execute { bound.value.close() }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, from source: IPAddress) {
        defer { hopLimit = nil }
        guard let packet = EchoPacket(reading: bytes, family: source.family), packet.kind == .reply else { return }
        waiting[packet.sequence]?.receive(packet, from: source, hopLimit: hopLimit)
    }

    private func receive(_ error: EchoError, from source: IPAddress?) {
        waiting[error.sequence]?.receive(error, from: source)
    }
}
#endif
