#if os(Linux)
    import LibC
    import NIOCore

    /// Looks at each datagram before a channel for pipes reads it, which would not tell who sent it, and hands it on once
    /// it is read. Confined to its event loop.
    final class Peephole: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        /// How many empty datagrams are passed over before other sockets have their turn.
        private static let mostEmpty = 1_000

        private let descriptor: CInt
        private let listener: DatagramListener
        private let readRest: () -> Void
        private let ended: () -> Void
        private var reading: DatagramReading
        /// Whether the next datagram has been looked at.
        private var hasLooked = false

        /// - Parameters:
        ///   - room: how many bytes of a datagram are kept.
        ///   - readRest: reads whatever is behind the datagram that the channel reads.
        ///   - ended: called when the channel closes, over an error in the queue or for no reason at all.
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

        /// Room for what the channel reads next, which nobody needs any more: as little as keeps the channel reading.
        /// With nothing there at all it is none, which looks like the end: a channel that was woken for nothing, such as
        /// by an error that is gone, must not find so.
        func room(by allocator: ByteBufferAllocator) -> ByteBuffer {
            hasLooked = look()
            return hasLooked ? allocator.buffer(capacity: 1) : ByteBuffer()
        }

        /// Looks at the next datagram that is not empty, which would look like the end, too; false if there is none.
        private func look() -> Bool {
            for _ in 0..<Self.mostEmpty {
                var code = reading.next(from: descriptor, flags: CInt(MSG_PEEK))
                // What is in the error queue makes one reading fail, too.
                if code != 0, code != EAGAIN { code = reading.next(from: descriptor, flags: CInt(MSG_PEEK)) }
                guard code == 0 else { return false }
                guard reading.bytes.isEmpty else { return true }
                _ = reading.next(from: descriptor)
            }
            return false
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard hasLooked else { return }
            hasLooked = false
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

    /// A buffer allocator that hands out the peephole's buffer. SwiftNIO requests a buffer before each read as long as
    /// `record(actualReadBytes:)` returns true.
    struct PeepholeBuffers: RecvByteBufferAllocator {
        let peephole: NIOLoopBound<Peephole>

        func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
            peephole.value.room(by: allocator)
        }

        mutating func record(actualReadBytes: Int) -> Bool { true }
    }
#endif
