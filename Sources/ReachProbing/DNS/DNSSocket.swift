#if os(Linux)

import NIOCore
import ReachMonitoring
import ReachSystem

/// A UDP socket for queries to any number of servers. Confined to its event loop.
///
/// The socket is not connected, so the kernel queues ICMP errors in its error queue (`IP_RECVERR`, ip(7)), with the
/// beginning of the query.
final class DNSSocket {
    /// The properties that queries on one socket share.
    struct Kind: Sendable, Hashable {
        let family: IPAddress.Family
        let origin: Origin?
    }

    private let descriptor: CInt
    private let queue: DatagramQueue
    /// The local port, which the kernel assigns on the first send.
    private var port: UInt16?

    private init(descriptor: CInt, queue: DatagramQueue) {
        self.descriptor = descriptor
        self.queue = queue
    }

    /// Opens a socket with two descriptors. The caller must close it. The listener receives datagrams and errors.
    static func open(
        _ kind: Kind,
        on loop: any EventLoop,
        for listener: DatagramListener
    ) throws -> DNSSocket {
        let descriptor = openSocket(kind.family, SocketType.datagram)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        DatagramQueue.enableErrors(of: descriptor, kind.family)
        // On kernels without this option, our own clock is used.
        setOption(KernelTimestamp.option, SOL_SOCKET, of: descriptor, to: 1)
        // Many answers may arrive between two reads. The kernel caps this at its own limit.
        setOption(SO_RCVBUF, SOL_SOCKET, of: descriptor, to: 4 << 20)
        let code = kind.origin?.apply(to: descriptor, kind.family) ?? 0
        guard code == 0 else {
            closeDescriptor(descriptor)
            throw Fault(errno: code)
        }
        let queue = DatagramQueue(of: descriptor, capacity: DatagramSocket.bufferSize, on: loop, for: listener)
        return DNSSocket(descriptor: descriptor, queue: queue)
    }

    /// Whether the socket is open.
    var isOpen: Bool { queue.isOpen }

    /// Sends a message, and returns the error number; zero on success.
    func send(_ message: [UInt8], to server: DNSServer) -> CInt {
        // The descriptor of a closed socket may have been reused.
        guard isOpen else { return EBADF }
        let code = message.withUnsafeBytes { bytes in
            server.address.withSocketAddress(port: server.port) { sendDatagram(bytes, by: descriptor, to: $0, $1) }
        }
        if port == nil { port = LocalEndpoint(of: descriptor)?.port }
        // A query to a closed port of this machine may have that port as its source and reach itself.
        guard code == 0, port == server.port, case .from(server.address) = KernelRoute(to: server.address) else {
            return code
        }
        return ECONNREFUSED
    }

    /// Reads all queued datagrams.
    ///
    /// - Parameter isPolled: whether calls are so frequent that the socket need not wake the loop.
    func read(isPolled: Bool) {
        queue.read(isPolled: isPolled)
    }

    /// Closes the socket. No callback is called afterwards.
    func close() {
        queue.close()
    }
}

/// The pool of sockets that queries share.
///
/// Each socket is used for new queries for a limited time, so that ports change and a load balancer does not see
/// one flow forever. It is closed when its last query has ended.
struct DNSSocketPool {
    /// How long a socket is used for new queries.
    static let lifetime = Duration.seconds(10)

    private struct Entry {
        let kind: DNSSocket.Kind
        let socket: DNSSocket
        let opened: Duration
        /// The deadline of its last query.
        var end: Duration
    }

    private var sockets: [Entry] = []

    /// Returns a socket of a kind for a query with the deadline `end`.
    ///
    /// - Parameter open: opens a new socket if the pool has none.
    mutating func socket(
        _ kind: DNSSocket.Kind,
        until end: Duration,
        at time: Duration,
        open: () throws -> DNSSocket
    ) throws -> DNSSocket {
        if let index = sockets.lastIndex(where: { $0.kind == kind }), sockets[index].socket.isOpen,
            time - sockets[index].opened < Self.lifetime
        {
            sockets[index].end = max(sockets[index].end, end)
            return sockets[index].socket
        }
        let socket = try open()
        sockets.append(Entry(kind: kind, socket: socket, opened: time, end: end))
        return socket
    }

    /// Reads the queued datagrams of all sockets.
    func read(isPolled: Bool) {
        for entry in sockets { entry.socket.read(isPolled: isPolled) }
    }

    /// Closes the sockets whose queries have all ended.
    mutating func closeExpired(at time: Duration) {
        guard let first = sockets.first, time - first.opened >= Self.lifetime else { return }
        let old = sockets.filter { $0.end < time && time - $0.opened >= Self.lifetime }
        guard !old.isEmpty else { return }
        for entry in old { entry.socket.close() }
        sockets.removeAll { !$0.socket.isOpen }
    }

    /// Closes all sockets.
    mutating func closeAll() {
        for entry in sockets { entry.socket.close() }
        sockets = []
    }
}

#endif
