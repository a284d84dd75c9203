#if os(Linux)

import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem

/// A reader of a datagram or ICMP socket and of its error queue, in which Linux stores the ICMP errors about sent
/// packets (IP_RECVERR, IPV6_RECVERR).
///
/// SwiftNIO only wakes the loop. Its datagram channel would trap or close on an entry in the error queue. Its pipe
/// channel treats an error as the end of the pipe: then the queue is read, and another channel opened. A pipe
/// channel reads one datagram itself, without its sender and time stamp, so the queue peeks at it first (MSG_PEEK).
final class DatagramQueue {
    /// The maximum number of errors read before other sockets have their turn.
    private static let maxErrors = 64
    /// The maximum number of datagrams read before other sockets have their turn.
    private static let maxDatagrams = 1_000
    /// The delay before the next attempt to open a channel when the process is out of descriptors.
    private static let retryPause = TimeAmount.milliseconds(20)

    private let descriptor: CInt
    private let loop: any EventLoop
    private let listener: DatagramListener
    private let capacity: Int
    private var reading: DatagramReading
    private var isPolled = false
    /// The channel that wakes the loop; nil while there is none, and after the socket is closed.
    private var channel: (any Channel)?
    private(set) var isOpen = true

    /// Reads from the descriptor until it is closed.
    ///
    /// - Parameter capacity: the maximum number of bytes kept of a datagram.
    init(of descriptor: CInt, capacity: Int, on loop: any EventLoop, for listener: DatagramListener) {
        self.descriptor = descriptor
        self.capacity = capacity
        reading = DatagramReading(capacity: capacity)
        self.loop = loop
        self.listener = listener
        listen()
    }

    /// Enables the error queue of a socket: the kernel stores ICMP messages about its datagrams in it (ip(7),
    /// ipv6(7)).
    static func enableErrors(of descriptor: CInt, _ family: IPAddress.Family) {
        switch family {
        case .ipv4: setOption(CInt(IP_RECVERR), CInt(IPPROTO_IP), of: descriptor, to: 1)
        case .ipv6: setOption(CInt(IPV6_RECVERR), CInt(IPPROTO_IPV6), of: descriptor, to: 1)
        }
    }

    func read(isPolled: Bool) {
        if isPolled != self.isPolled {
            self.isPolled = isPolled
            setReading()
        }
        readAll()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        channel?.close(promise: nil)
        channel = nil
        closeDescriptor(descriptor)
        listener.ended()
    }

    /// Opens a channel for the socket, with a duplicate of the descriptor.
    private func listen() {
        guard isOpen else { return }
        do {
            channel = try makeChannel()
        } catch {
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: Self.retryPause) { bound.value.listen() }
        }
    }

    private func makeChannel() throws -> (any Channel)? {
        let watched = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard watched >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
        let capture = SenderCapture(
            of: watched,
            capacity: capacity,
            for: listener,
            readRest: { [weak self] in self?.readAll() },
            ended: { [weak self] in self?.channelEnded() }
        )
        let handler = NIOLoopBound(capture, eventLoop: loop)
        let opening = NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: SenderCaptureAllocator(capture: handler))
            // This class reads the rest.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.autoRead, value: !isPolled)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: watched)
        var opened: Result<any Channel, any Error>?
        // On the event loop, the descriptor is registered or closed synchronously.
        opening.assumeIsolated().whenComplete { opened = $0 }
        return try opened?.get()
    }

    /// Sets whether the channel wakes the loop for arriving datagrams.
    private func setReading() {
        guard let options = channel?.syncOptions else { return }
        // This fails if the channel is about to close; the next channel gets the right setting.
        try? options.setOption(.autoRead, value: !isPolled)
    }

    /// Reads the pending datagrams, up to the maximum.
    private func readAll() {
        defer { listener.batchEnded() }
        for _ in 0..<Self.maxDatagrams where isOpen {
            switch reading.next(from: descriptor) {
            case 0: listener.onDatagram(reading)
            case EAGAIN: return
            // An entry in the error queue makes one read fail.
            default: continue
            }
        }
    }

    /// Reads the error queue, and opens the next channel. Entries that remain end that channel at once.
    private func channelEnded() {
        channel = nil
        for _ in 0..<Self.maxErrors where isOpen {
            guard readError() else { break }
        }
        listen()
    }

    /// Reads and reports the first error in the queue. Returns whether there was one.
    private func readError() -> Bool {
        guard reading.next(from: descriptor, flags: CInt(MSG_ERRQUEUE)) == 0 else { return false }
        let error = reading.messages.withUnsafeBytes { ExtendedError(control: $0) }
        if let error { listener.onError(reading, error) }
        return true
    }
}

/// The callbacks of a ``DatagramQueue``.
struct DatagramListener {
    /// Called with each datagram.
    let onDatagram: (DatagramReading) -> Void
    /// Called with an error about a datagram of this socket: the beginning and destination of the datagram, and the
    /// error.
    let onError: (DatagramReading, ExtendedError) -> Void
    /// Called after each batch of datagrams.
    var batchEnded: () -> Void = {}
    /// Called when the socket is closed.
    var ended: () -> Void = {}
}

extension DatagramListener {
    /// Creates callbacks that parse the packets of an ICMP socket for an echo listener.
    ///
    /// - Parameter filter: checks the packets of a raw socket; nil for other sockets.
    init(_ listener: EchoListener, filter: RawEchoFilter?) {
        self.init(
            onDatagram: { reading in
                guard let source = reading.address else { return }
                let stamp = reading.messages.withUnsafeBytes { KernelTimestamp.time(in: $0) }
                reading.bytes.withUnsafeBytes { bytes in
                    guard filter?.accepts(bytes) ?? true else { return }
                    if let receiveHopLimit = listener.receiveHopLimit,
                        let hopLimit = reading.messages.withUnsafeBytes({ HopLimitMessage.value(in: $0) })
                    {
                        receiveHopLimit(hopLimit)
                    }
                    listener.receive(bytes, source, stamp)
                }
            },
            onError: { reading, extended in
                guard
                    let destination = reading.address,
                    let reason = extended.reason,
                    let error = EchoError(
                        reason: reason,
                        destination: destination,
                        quotation: ByteBuffer(bytes: reading.bytes)
                    )
                else { return }
                listener.receiveError(error, extended.offender)
            },
            batchEnded: listener.batchEnded,
            ended: listener.ended
        )
    }
}

/// A handler that captures the sender of each datagram: it peeks at the datagram before a pipe channel reads it
/// without its sender. Confined to its event loop.
final class SenderCapture: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The maximum number of empty datagrams skipped before other sockets have their turn.
    private static let maxEmpty = 1_000

    private let descriptor: CInt
    private let listener: DatagramListener
    private let readRest: () -> Void
    private let ended: () -> Void
    private var reading: DatagramReading
    /// Whether the next datagram has been peeked at.
    private var hasPeeked = false

    /// - Parameters:
    ///   - capacity: the maximum number of bytes kept of a datagram.
    ///   - readRest: reads the datagrams after the one that the channel reads.
    ///   - ended: called when the channel closes, because of an error in the queue or without a reason.
    init(
        of descriptor: CInt,
        capacity: Int,
        for listener: DatagramListener,
        readRest: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        reading = DatagramReading(capacity: capacity)
        self.listener = listener
        self.readRest = readRest
        self.ended = ended
    }

    /// Returns the buffer for the channel's next read. The bytes are not needed, so it has the minimum size that
    /// keeps the channel reading. Without a datagram it is empty, and the read looks like the end. SwiftNIO traps
    /// if a channel that was woken without reason, such as by an error that is gone, reads neither bytes nor the
    /// end.
    func nextBuffer(by allocator: ByteBufferAllocator) -> ByteBuffer {
        hasPeeked = peek()
        return hasPeeked ? allocator.buffer(capacity: 1) : ByteBuffer()
    }

    /// Peeks at the next datagram that is not empty: an empty one would look like the end. Returns false if there
    /// is none.
    private func peek() -> Bool {
        for _ in 0..<Self.maxEmpty {
            var code = reading.next(from: descriptor, flags: CInt(MSG_PEEK))
            // An entry in the error queue makes one read fail.
            if code != 0, code != EAGAIN { code = reading.next(from: descriptor, flags: CInt(MSG_PEEK)) }
            guard code == 0 else { return false }
            guard reading.bytes.isEmpty else { return true }
            _ = reading.next(from: descriptor)
        }
        return false
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard hasPeeked else { return }
        hasPeeked = false
        listener.onDatagram(reading)
        listener.batchEnded()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readRest()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }
}

/// A buffer allocator that returns the buffer of a ``SenderCapture``. SwiftNIO requests a buffer before each read
/// as long as `record(actualReadBytes:)` returns true.
struct SenderCaptureAllocator: RecvByteBufferAllocator {
    let capture: NIOLoopBound<SenderCapture>

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        capture.value.nextBuffer(by: allocator)
    }

    mutating func record(actualReadBytes: Int) -> Bool { true }
}

#endif
