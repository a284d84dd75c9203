import FlyingSocks
import LibC

/// Hears HTTP clients, so many at a time and no more: who comes later waits in the system's queue until one of them is
/// done, which takes seconds at the most.
///
/// The sockets are FlyingFox's. Its server is not used: it has no bound on clients, on how long one may take to ask and
/// to read, and on how much one may send; and it brings Foundation's networking, which takes longer to load than all the
/// rest of the program.
struct HTTPListener: Sendable {
    /// How many are heard at the same time.
    static let mostVisits = 64

    /// How many bytes the system keeps of an answer that a client is slow to read.
    private static let sendBuffer: Int32 = 262_144

    /// Where it listens, with the port that the system has chosen.
    let address: ListenAddress
    private let socket: Socket

    /// Begins to listen.
    ///
    /// - Throws: ``TargetProblems`` when the system does not allow it.
    init(at wished: ListenAddress) throws(TargetProblems) {
        do {
            let address = try wished.socketAddress
            socket = try Socket(domain: Int32(address.family))
            socket.closeOnExec()
            do {
                try socket.setValue(true, for: .localAddressReuse)
                #if canImport(Darwin)
                    // Clients' sockets have it from here; on Linux, each write says so.
                    try socket.setValue(true, for: .noSIGPIPE)
                #endif
                // Clients' sockets have it from here. What the system would keep for each is megabytes.
                try socket.setValue(Self.sendBuffer, for: .sendBufferSize)
                try socket.bind(to: address)
                try socket.listen(maxPendingConnection: 128)
                self.address = ListenAddress(try socket.sockname())
            } catch {
                try? socket.close()
                throw error
            }
        } catch SocketError.failed(_, let code, let message) {
            let why =
                switch code {
                case EADDRINUSE: "another program listens there – choose another port"
                case EADDRNOTAVAIL: "no address of this machine"
                case EACCES: "ports below 1024 are the administrator's – choose another port"
                default: message
                }
            throw TargetProblems(lines: ["cannot listen on \(wished.text): \(why)"])
        } catch {
            throw TargetProblems(lines: ["cannot listen on \(wished.text): \(error)"])
        }
    }

    /// Says where it listens, and to whom.
    func announce() {
        let whom = address.isLoopback ? "" : " – open to the network, and nobody is asked who they are"
        StandardStreams.complain("listening on http://\(address.text)/metrics\(whom)")
    }

    /// Hears clients until the task is cancelled.
    func run(_ pages: Pages) async {
        defer { try? socket.close() }
        while !Task.isCancelled {
            do {
                try await hear(pages)
            } catch {
                // The sockets' pool ends with another error than cancellation.
                guard !Task.isCancelled else { return }
                StandardStreams.complain("listening on \(address.text) failed, trying again: \(error)")
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func hear(_ pages: Pages) async throws {
        let pool: some AsyncSocketPool = .make()
        try await pool.prepare()
        try await withThrowingTaskGroup { group in
            group.addTask { try await pool.run() }
            group.addTask { try await accept(from: AsyncSocket(socket: socket, pool: pool), pages) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Lets one in for each place that is free.
    private func accept(from door: AsyncSocket, _ pages: Pages) async throws {
        let (free, places) = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<Self.mostVisits { places.yield() }
        try await withThrowingDiscardingTaskGroup { group in
            for await _ in free {
                let socket = try await next(at: door)
                group.addTask {
                    await HTTPVisit(socket: socket, isLoopback: address.isLoopback).run(pages)
                    places.yield()
                }
            }
            try Task.checkCancellation()
        }
    }

    private func next(at door: AsyncSocket) async throws -> AsyncSocket {
        while true {
            do {
                let socket = try await door.accept()
                socket.socket.closeOnExec()
                return socket
            } catch SocketError.failed {
                // A client that has gone again, or too few descriptors, which others give back.
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }
}

extension Socket {
    /// Keeps the socket from the commands that hooks run: one that lasts would keep it open.
    fileprivate func closeOnExec() {
        _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
    }
}
