#if os(Linux)
    import Monitoring
    import NIOCore
    import NIOPosix

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Reads from a datagram ICMP socket and from its error queue, in which Linux leaves what routers say (IP_RECVERR,
    /// IPV6_RECVERR).
    ///
    /// SwiftNIO's datagram channel traps or closes as soon as there is anything in that queue. Its channel for pipes takes
    /// an error for the end of the pipe, which is just the moment to read the queue; then another channel reads on. What
    /// it cannot tell is who sent a packet, and so each packet is looked at (MSG_PEEK) before the channel reads it.
    final class EchoQueue: EchoReader {
        /// How many errors are taken before other sockets have their turn.
        private static let mostErrors = 64
        /// How long nobody listens where the process is out of descriptors.
        private static let patience = TimeAmount.milliseconds(20)

        private let descriptor: CInt
        private let loop: any EventLoop
        private let listener: EchoListener
        private var reading = DatagramReading(room: EchoHandler.packetSize)
        /// Nil while none is listening, and once the socket is closed.
        private var channel: (any Channel)?
        private(set) var isOpen = true

        /// Reads from the descriptor until it is closed.
        init(of descriptor: CInt, on loop: any EventLoop, for listener: EchoListener) {
            self.descriptor = descriptor
            self.loop = loop
            self.listener = listener
            listen()
        }

        func close() {
            guard isOpen else { return }
            isOpen = false
            channel?.close(promise: nil)
            channel = nil
            closeDescriptor(descriptor)
            listener.ended()
        }

        /// Has a channel read from the socket, by a descriptor of its own.
        private func listen() {
            guard isOpen else { return }
            do {
                channel = try makeChannel()
            } catch {
                let bound = NIOLoopBound(self, eventLoop: loop)
                loop.scheduleTask(in: Self.patience) { bound.value.listen() }
            }
        }

        private func makeChannel() throws -> (any Channel)? {
            let watched = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard watched >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
            let peephole = Peephole(of: watched, for: listener) { [weak self] in self?.channelEnded() }
            let handler = NIOLoopBound(peephole, eventLoop: loop)
            let opening = NIOPipeBootstrap(group: loop)
                .channelOption(.recvAllocator, value: PeepholeBuffers(peephole: handler))
                .channelOption(.maxMessagesPerRead, value: UInt(EchoHandler.packetsPerRead))
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

        /// What is left over in the queue ends the next channel at once.
        private func channelEnded() {
            channel = nil
            for _ in 0..<Self.mostErrors where isOpen {
                guard hearError() else { break }
            }
            listen()
        }

        /// Hands on the first error in the queue; returns whether there was one.
        private func hearError() -> Bool {
            guard reading.next(from: descriptor, flags: CInt(MSG_ERRQUEUE)) == 0 else { return false }
            guard
                let destination = reading.address,
                let extended = reading.messages.withUnsafeBytes({ ExtendedError(control: $0) }),
                let reason = extended.reason,
                let error = EchoError(
                    reason: reason,
                    destination: destination,
                    quotation: ByteBuffer(bytes: reading.bytes)
                )
            else { return true }
            listener.refuse(error, extended.offender)
            return true
        }
    }
#endif
