#if os(Linux)
    import Monitoring
    import NIOCore

    import LibC

    /// A UDP socket that asks any number of servers. Confined to its event loop.
    ///
    /// It is not connected, and so the kernel leaves what the network says about a query in its error queue (`IP_RECVERR`,
    /// ip(7)), with the beginning of the query.
    final class DNSSocket {
        /// What the queries of one socket have in common.
        struct Kind: Sendable, Hashable {
            let family: IPAddress.Family
            let origin: Origin?
        }

        private let descriptor: CInt
        private let queue: DatagramQueue
        /// Its port, which the kernel picks when it sends first.
        private var port: UInt16?

        private init(descriptor: CInt, queue: DatagramQueue) {
            self.descriptor = descriptor
            self.queue = queue
        }

        /// Opens a socket, of two descriptors, that is to be closed by its owner. The listener takes whatever comes.
        static func open(
            _ kind: Kind,
            on loop: any EventLoop,
            for listener: DatagramListener
        ) throws -> DNSSocket {
            let isIPv4 = kind.family == .ipv4
            let descriptor = socket(isIPv4 ? AF_INET : AF_INET6, SocketType.datagram, 0)
            guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            DatagramQueue.enableErrors(of: descriptor, kind.family)
            var isOn: CInt = 1
            // A kernel that does not know it leaves us our own clock.
            setsockopt(descriptor, SOL_SOCKET, KernelStamp.option, &isOn, socklen_t(MemoryLayout<CInt>.size))
            // Many answers may come between two reads; the kernel takes as much of this as it allows.
            var room: CInt = 4 << 20
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
            let code = kind.origin?.apply(to: descriptor, kind.family) ?? 0
            guard code == 0 else {
                closeDescriptor(descriptor)
                throw Fault(errno: code)
            }
            let queue = DatagramQueue(of: descriptor, room: DatagramSocket.longest, on: loop, for: listener)
            return DNSSocket(descriptor: descriptor, queue: queue)
        }

        /// Whether it can still send and hear.
        var isOpen: Bool { queue.isOpen }

        /// Sends a message; the error number says what came of it, zero that it left.
        func send(_ message: [UInt8], to server: DNSServer) -> CInt {
            // A closed socket's descriptor may be another socket's by now.
            guard isOpen else { return EBADF }
            let code = message.withUnsafeBytes { bytes in
                server.address.withSocketAddress(port: server.port) { sendDatagram(bytes, by: descriptor, to: $0, $1) }
            }
            if port == nil { port = LocalEndpoint(of: descriptor)?.port }
            // A closed port of this machine may be the one that the query left from.
            guard code == 0, port == server.port, case .from(server.address) = KernelRoute(to: server.address) else {
                return code
            }
            return ECONNREFUSED
        }

        /// Reads what is there.
        ///
        /// - Parameter isPolled: whether this is called often enough for nothing else to wake the loop for what comes.
        func read(isPolled: Bool) {
            queue.read(isPolled: isPolled)
        }

        /// Closes it. Nothing is heard of it any more.
        func close() {
            queue.close()
        }
    }
#endif
