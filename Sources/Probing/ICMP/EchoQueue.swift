#if os(Linux)
    import NIOCore

    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    /// Reads from a datagram ICMP socket and from its error queue, in which Linux leaves what routers say (IP_RECVERR,
    /// IPV6_RECVERR).
    ///
    /// SwiftNIO's datagram channel closes itself as soon as there is anything in that queue.
    final class EchoQueue: EchoReader {
        /// How often a batch of packets is read before other sockets have their turn.
        private static let mostReads = 4
        /// How many errors are taken before other sockets have their turn.
        private static let mostErrors = 64

        private let descriptor: CInt
        private let listener: EchoListener
        private lazy var doorbell = Doorbell(of: descriptor, on: loop) { [weak self] in self?.read() }
        private let loop: any EventLoop
        private var reading = DatagramReading(room: EchoHandler.packetSize)
        private(set) var isOpen = true

        /// Reads from the descriptor until it is closed.
        init(of descriptor: CInt, on loop: any EventLoop, for listener: EchoListener) {
            self.descriptor = descriptor
            self.loop = loop
            self.listener = listener
            doorbell.arm()
        }

        func close() {
            guard isOpen else { return }
            isOpen = false
            doorbell.close()
            closeDescriptor(descriptor)
            listener.ended()
        }

        /// Replies go first, since they are timed. What is left over rings again.
        private func read() {
            for _ in 0..<Self.mostReads where isOpen {
                guard hearBatch() else { break }
            }
            for _ in 0..<Self.mostErrors where isOpen {
                guard hearError() else { break }
            }
            doorbell.arm()
        }

        /// Hands on the packets that are there, read before the first is looked at so that all can bear one time;
        /// returns whether there may be more.
        private func hearBatch() -> Bool {
            var batch: [(packet: ByteBuffer, source: IPAddress)] = []
            var hasMore = true
            for _ in 0..<EchoHandler.packetsPerRead {
                let code = reading.next(from: descriptor)
                hasMore = code != EAGAIN
                guard hasMore else { break }
                // What is in the error queue makes one reading fail, too.
                guard code == 0, let source = reading.address else { continue }
                batch.append((ByteBuffer(bytes: reading.bytes), source))
            }
            for (packet, source) in batch where isOpen { listener.hear(packet, source) }
            listener.batchEnded()
            return hasMore
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
