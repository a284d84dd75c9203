#if os(Linux)
import Monitoring

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
