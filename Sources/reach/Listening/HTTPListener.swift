import LibC
import NIOCore
import NIOPosix
import Probing

/// An HTTP server on SwiftNIO.
struct HTTPListener: Sendable {
    /// The bytes of a response that the kernel keeps for a client that reads slowly.
    private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 262_144

    /// The address, with the port that the system has chosen.
    let address: ListenAddress
    /// The server channel of the start.
    let channel: any Channel
    private let router: HTTPRouter

    /// Starts to listen.
    ///
    /// - Throws: ``TargetProblems`` when the system does not allow it.
    init(at address: ListenAddress, router: HTTPRouter) async throws(TargetProblems) {
        do {
            channel = try await Self.bind(address, router)
            self.address = ListenAddress(try channel.localAddress ?? address.socketAddress)
            self.router = router
        } catch {
            throw TargetProblems(lines: ["cannot listen on \(address.text): \(Self.problem(error))"])
        }
    }

    /// Reports the address, and whether other machines can reach it.
    func announce() {
        let whom = address.isLoopback ? "" : " – reachable from the network, without authentication"
        StandardStreams.complain("listening on http://\(address.text)/metrics\(whom)")
    }

    /// Waits until the task is cancelled, and stops listening. Where the system closes the socket before, listens again.
    func run() async {
        var channel = channel
        while true {
            await withTaskCancellationHandler {
                try? await channel.closeFuture.get()
            } onCancel: { [channel] in
                channel.close(promise: nil)
            }
            repeat {
                guard !Task.isCancelled else { return }
                StandardStreams.complain("listening on \(address.text) failed, trying again")
                try? await Task.sleep(for: .seconds(1))
            } while await !reopen(&channel)
        }
    }

    private func reopen(_ channel: inout any Channel) async -> Bool {
        guard let new = try? await Self.bind(address, router) else { return false }
        channel = new
        return true
    }

    /// The most connections at a time: few enough to leave descriptors to hooks and settings, as probes do.
    private static var connectionLimit: Int {
        Int(min(64, max(4, DescriptorLimit.current.raised / 16)))
    }

    private static func bind(_ address: ListenAddress, _ router: HTTPRouter) async throws -> any Channel {
        // The loops that webhooks use too. Their threads start with the first use.
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // The limit is checked before each accept.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.closeOnExec()
                    let handler = ConnectionLimitHandler(limit: connectionLimit)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.socketOption(.so_sndbuf), value: sendBuffer)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.closeOnExec()
                    let parent = channel.parent?.pipeline.syncOperations
                    let handler = HTTPRequestHandler(
                        isLoopback: address.isLoopback,
                        connections: try parent?.handler(type: ConnectionLimitHandler.self),
                        respond: router.response
                    )
                    try handler.add(to: channel.pipeline.syncOperations)
                }
            }
            .bind(to: address.socketAddress)
            .get()
    }

    private static func problem(_ error: any Error) -> String {
        guard let code = (error as? IOError)?.errnoCode else { return "\(error)" }
        return switch code {
        case EADDRINUSE: "another program listens there – choose another port"
        case EADDRNOTAVAIL: "no address of this machine"
        case EACCES: "ports below 1024 are the administrator's – choose another port"
        default: String(cString: strerror(code))
        }
    }
}

extension Channel {
    /// Keeps the socket from the commands that hooks run: one that lasts would keep it open.
    fileprivate func closeOnExec() throws {
        try pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}
