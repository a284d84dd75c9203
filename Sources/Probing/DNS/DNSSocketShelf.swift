#if os(Linux)
    import Monitoring

    /// The sockets that queries share. Each takes new queries for a while, so that ports change, and that a server behind
    /// a balancer is not asked on one flow for ever; it is closed when none of its queries can be answered any more.
    struct DNSSocketShelf {
        /// How long a socket takes new queries.
        static let lifetime = Duration.seconds(10)

        private struct Shared {
            let kind: DNSSocket.Kind
            let socket: DNSSocket
            let opened: Duration
            /// When the last of its queries is given up.
            var end: Duration
        }

        private var sockets: [Shared] = []

        /// The socket of a kind that takes a query at this time, whose answer is awaited until `end`.
        ///
        /// - Parameter open: opens one where there is none.
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
            sockets.append(Shared(kind: kind, socket: socket, opened: time, end: end))
            return socket
        }

        /// Reads what has come to any of them.
        func read(isPolled: Bool) {
            for shared in sockets { shared.socket.read(isPolled: isPolled) }
        }

        /// Closes the sockets that have done their work.
        mutating func tidy(at time: Duration) {
            guard let first = sockets.first, time - first.opened >= Self.lifetime else { return }
            let old = sockets.filter { $0.end < time && time - $0.opened >= Self.lifetime }
            guard !old.isEmpty else { return }
            for shared in old { shared.socket.close() }
            sockets.removeAll { !$0.socket.isOpen }
        }

        /// Closes them all.
        mutating func closeAll() {
            for shared in sockets { shared.socket.close() }
            sockets = []
        }
    }
#endif
