#if os(Linux)
    import NIOCore

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Looks at each packet before a channel for pipes reads it, which would not tell who sent it, and hands it on once it
    /// is read. Confined to its event loop.
    final class Peephole: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let descriptor: CInt
        private let listener: EchoListener
        private let readRest: () -> Void
        private let ended: () -> Void
        private var reading = DatagramReading(room: EchoHandler.packetSize)
        /// Whether the next packet has been looked at.
        private var hasLooked = false

        /// - Parameters:
        ///   - readRest: reads whatever is behind the packet that the channel reads.
        ///   - ended: called when the channel closes, over an error in the queue or for no reason at all.
        init(
            of descriptor: CInt,
            for listener: EchoListener,
            readRest: @escaping () -> Void,
            ended: @escaping () -> Void
        ) {
            self.descriptor = descriptor
            self.listener = listener
            self.readRest = readRest
            self.ended = ended
        }

        /// Room for what the channel reads next, which nobody needs any more: as little as keeps the channel reading.
        /// With nothing there at all it is none, which looks like the end: a channel that was woken for nothing, such as
        /// by an error that is gone, must not find so.
        func room(by allocator: ByteBufferAllocator) -> ByteBuffer {
            var code = reading.next(from: descriptor, flags: CInt(MSG_PEEK))
            // What is in the error queue makes one reading fail, too.
            if code != 0, code != EAGAIN { code = reading.next(from: descriptor, flags: CInt(MSG_PEEK)) }
            hasLooked = code == 0
            return hasLooked ? allocator.buffer(capacity: 1) : ByteBuffer()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard hasLooked else { return }
            hasLooked = false
            reading.tell(listener)
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
#endif
