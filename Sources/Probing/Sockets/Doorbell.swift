#if os(Linux)
    import NIOCore
    import NIOPosix

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Rings when a socket has something to read, be it in its error queue, and leaves the reading to its owner. Confined
    /// to its event loop.
    ///
    /// SwiftNIO reads from whatever it watches. Its channel for pipes is given no room to read into: a read of no bytes
    /// has no effect (read(2)), looks like the end of the pipe, and so the channel closes, which is the ring. Each ring
    /// costs a channel, and a descriptor for as long as it waits.
    final class Doorbell {
        /// How long it waits where the process is out of descriptors; meanwhile the owner reads by the clock.
        private static let patience = TimeAmount.milliseconds(20)

        private let loop: any EventLoop
        private let descriptor: CInt
        private let ring: () -> Void
        private var channel: (any Channel)?
        private var isClosed = false

        /// - Parameter ring: called at most once for each call of ``arm()``. Whatever is not read by then rings again.
        init(of descriptor: CInt, on loop: any EventLoop, ring: @escaping () -> Void) {
            self.descriptor = descriptor
            self.loop = loop
            self.ring = ring
        }

        /// Waits for the next thing to read.
        func arm() {
            guard !isClosed, channel == nil else { return }
            do {
                channel = try listen()
            } catch {
                let bound = NIOLoopBound(self, eventLoop: loop)
                loop.scheduleTask(in: Self.patience) { bound.value.rang() }
            }
        }

        /// Ends the waiting; the socket itself is its owner's to close.
        func close() {
            isClosed = true
            channel?.close(promise: nil)
            channel = nil
        }

        private func rang() {
            channel = nil
            if !isClosed { ring() }
        }

        private func listen() throws -> (any Channel)? {
            let watched = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard watched >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
            let handler = NIOLoopBound(Striker { [weak self] in self?.rang() }, eventLoop: loop)
            let opening = NIOPipeBootstrap(group: loop)
                .channelOption(.recvAllocator, value: NoRoom())
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(handler.value)
                    }
                }
                .takingOwnershipOfDescriptor(input: watched)
            var opened: Result<any Channel, any Error>?
            // On the event loop a descriptor is registered at once, or else closed.
            opening.assumeIsolated().whenComplete { opened = $0 }
            return try opened?.get()
        }
    }

    /// Nothing to read into.
    private struct NoRoom: RecvByteBufferAllocator {
        func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { ByteBuffer() }
        mutating func record(actualReadBytes: Int) -> Bool { false }
    }

    /// Hears the channel come to its end, once.
    private final class Striker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var strike: (() -> Void)?

        init(strike: @escaping () -> Void) {
            self.strike = strike
        }

        /// The first to be called where something was read, in the same moment: replies are timed.
        func channelReadComplete(context: ChannelHandlerContext) {
            strikeOnce()
        }

        func channelInactive(context: ChannelHandlerContext) {
            strikeOnce()
            context.fireChannelInactive()
        }

        private func strikeOnce() {
            let strike = strike
            self.strike = nil
            strike?()
        }
    }
#endif
