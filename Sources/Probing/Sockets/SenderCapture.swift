#if os(Linux)
import LibC
import NIOCore

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
    ///   - room: the maximum number of bytes kept of a datagram.
    ///   - readRest: reads the datagrams after the one that the channel reads.
    ///   - ended: called when the channel closes, because of an error in the queue or without a reason.
    init(
        of descriptor: CInt,
        room: Int,
        for listener: DatagramListener,
        readRest: @escaping () -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        reading = DatagramReading(room: room)
        self.listener = listener
        self.readRest = readRest
        self.ended = ended
    }

    /// Returns the buffer for the channel's next read. The bytes are not needed, so it has the minimum size that
    /// keeps the channel reading. Without a datagram it is empty, and the read looks like the end. SwiftNIO traps
    /// if a channel that was woken without reason, such as by an error that is gone, reads neither bytes nor the
    /// end.
    func room(by allocator: ByteBufferAllocator) -> ByteBuffer {
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
        listener.hear(reading)
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
        capture.value.room(by: allocator)
    }

    mutating func record(actualReadBytes: Int) -> Bool { true }
}
#endif
