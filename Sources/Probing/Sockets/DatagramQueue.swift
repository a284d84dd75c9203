#if os(Linux)
    import LibC
    import Monitoring
    import NIOCore
    import NIOPosix

    /// Reads from a socket for datagrams, ICMP's among them, and from its error queue, in which Linux leaves what the network
    /// says about them (IP_RECVERR, IPV6_RECVERR).
    ///
    /// SwiftNIO only wakes the loop. Its datagram channel would trap or close as soon as there is anything in the error
    /// queue. Its channel for pipes takes an error for the end of the pipe, which is just the moment to read the queue;
    /// then another channel goes on. It insists on reading one datagram itself, and cannot tell who sent it nor when it
    /// came; so that one is looked at (MSG_PEEK) before.
    final class DatagramQueue: EchoReader {
        /// How many errors are taken before other sockets have their turn.
        private static let mostErrors = 64
        /// How many datagrams are read before other sockets have their turn.
        private static let mostDatagrams = 1_000
        /// How long nobody listens where the process is out of descriptors.
        private static let patience = TimeAmount.milliseconds(20)

        private let descriptor: CInt
        private let loop: any EventLoop
        private let listener: DatagramListener
        private let room: Int
        private var reading: DatagramReading
        private var isPolled = false
        /// Nil while none is listening, and once the socket is closed.
        private var channel: (any Channel)?
        private(set) var isOpen = true

        /// Reads from the descriptor until it is closed.
        ///
        /// - Parameter room: how many bytes of a datagram are kept.
        init(of descriptor: CInt, room: Int, on loop: any EventLoop, for listener: DatagramListener) {
            self.descriptor = descriptor
            self.room = room
            reading = DatagramReading(room: room)
            self.loop = loop
            self.listener = listener
            listen()
        }

        /// Has the kernel keep ICMP messages about a socket's datagrams in its error queue (ip(7), ipv6(7)).
        static func enableErrors(of descriptor: CInt, _ family: IPAddress.Family) {
            var isOn: CInt = 1
            let (level, name) =
                family == .ipv4 ? (CInt(IPPROTO_IP), CInt(IP_RECVERR)) : (CInt(IPPROTO_IPV6), CInt(IPV6_RECVERR))
            setsockopt(descriptor, level, name, &isOn, socklen_t(MemoryLayout<CInt>.size))
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
            let peephole = Peephole(
                of: watched,
                room: room,
                for: listener,
                readRest: { [weak self] in self?.readAll() },
                ended: { [weak self] in self?.channelEnded() }
            )
            let handler = NIOLoopBound(peephole, eventLoop: loop)
            let opening = NIOPipeBootstrap(group: loop)
                .channelOption(.recvAllocator, value: PeepholeBuffers(peephole: handler))
                // The rest is read by us.
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.autoRead, value: !isPolled)
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

        /// Has the channel wake the loop for what comes, or not.
        private func setReading() {
            guard let options = channel?.syncOptions else { return }
            // It fails where the channel is about to end, and the next one is made right.
            try? options.setOption(.autoRead, value: !isPolled)
        }

        /// Reads what is there, within reason.
        private func readAll() {
            defer { listener.batchEnded() }
            for _ in 0..<Self.mostDatagrams where isOpen {
                switch reading.next(from: descriptor) {
                case 0: listener.hear(reading)
                case EAGAIN: return
                // What is in the error queue makes one reading fail, too.
                default: continue
                }
            }
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
            let error = reading.messages.withUnsafeBytes { ExtendedError(control: $0) }
            if let error { listener.refuse(reading, error) }
            return true
        }
    }

    /// Whom the queue of a socket tells what comes of it.
    struct DatagramListener {
        /// Takes in a datagram.
        let hear: (DatagramReading) -> Void
        /// Takes in what came back about a datagram of this very socket: its beginning, whom it was for, and why.
        let refuse: (DatagramReading, ExtendedError) -> Void
        /// What was read in one go has been handed over.
        var batchEnded: () -> Void = {}
        /// The socket has been closed.
        var ended: () -> Void = {}
    }
#endif
