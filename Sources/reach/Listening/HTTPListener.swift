import ArgumentParser
import NIOCore
import NIOPosix
import ReachBasics
import ReachProbing
import ReachSystem

/// An HTTP server on SwiftNIO.
struct HTTPListener: Sendable {
    /// The size of the send buffer in bytes: how much of a response the kernel holds for a slow client.
    private static let sendBuffer: ChannelOptions.Types.SocketOption.Value = 262_144

    /// The bound address, with the port that the system chose for port 0.
    let address: ListenAddress
    /// The first server channel; ``run()`` opens another one if it closes.
    let channel: any Channel
    private let router: HTTPRouter
    private let connectionLimit: Int

    /// Binds the address and starts listening.
    ///
    /// - Parameter connectionLimit: The maximum number of connections.
    /// - Throws: ``StartupError`` when the address cannot be bound.
    init(
        at address: ListenAddress,
        router: HTTPRouter,
        connectionLimit: Int = Self.connectionLimit
    ) async throws(StartupError) {
        self.connectionLimit = connectionLimit
        do {
            channel = try await Self.bind(address, router, connectionLimit)
            self.address = ListenAddress(try channel.localAddress ?? address.socketAddress)
            self.router = router
        } catch {
            throw StartupError("cannot listen on \(address.text): \(Self.problem(error))")
        }
    }

    /// Prints the address, with a warning if other machines can reach it.
    ///
    /// - Parameter hasProbes: Whether clients can make this machine probe.
    func announce(hasProbes: Bool = false) {
        let probes = hasProbes ? "; any client can probe any target from here" : ""
        let warning = address.isLoopback ? "" : " – reachable from the network, without authentication\(probes)"
        StandardStreams.printMessage(
            "listening on http://\(address.text)/metrics\(warning)",
            priority: warning.isEmpty ? .info : .warning
        )
    }

    /// Listens until the task is cancelled. Binds the address again if the socket is closed before.
    func run() async {
        var channel = channel
        var problem: String?
        while !Task.isCancelled {
            do {
                if let problem {
                    let text = "cannot listen on \(address.text): \(problem); trying again"
                    StandardStreams.printMessage(text, priority: .warning)
                    try? await Task.sleep(for: .seconds(1))
                    channel = try await Self.bind(address, router, connectionLimit)
                }
                problem = "the socket was closed"
                try await withTaskCancellationHandler {
                    try await channel.closeFuture.get()
                } onCancel: { [channel] in
                    channel.close(promise: nil)
                }
            } catch {
                problem = Self.problem(error)
            }
        }
    }

    /// The maximum number of connections without modules: low enough to leave descriptors for probes, hooks and settings.
    static var connectionLimit: Int {
        Int(min(64, max(4, DescriptorLimit.current.raised / 16)))
    }

    /// The maximum number of connections that wait for a probe by a module. Each has a few descriptors.
    static var probeLimit: Int {
        Int(min(2_048, max(4, DescriptorLimit.current.raised / 16)))
    }

    private static func bind(
        _ address: ListenAddress,
        _ router: HTTPRouter,
        _ connectionLimit: Int
    ) async throws -> any Channel {
        let limit = ConnectionLimit(connectionLimit)
        // The event loops are shared with webhooks. Their threads start at first use.
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1_024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // One accept per read: the limit is checked before each.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.closeOnExec()
                    try channel.pipeline.syncOperations.addHandler(ConnectionLimitHandler(limit: limit))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.socketOption(.so_sndbuf), value: sendBuffer)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.closeOnExec()
                    let handler = HTTPRequestHandler(
                        isLoopback: address.isLoopback,
                        connections: limit,
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
        case EADDRNOTAVAIL: "not an address of this machine"
        case EACCES: "ports below 1024 need root – choose another port"
        default: SystemError(code).description
        }
    }
}

extension Channel {
    /// Sets `FD_CLOEXEC`, so that hook commands do not inherit the socket and keep it open.
    fileprivate func closeOnExec() throws {
        try pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}

/// The address of `watch --listen`: a numeric address of this machine and a port; port 0 is any free one.
struct ListenAddress: Sendable, Hashable {
    /// The address without brackets.
    let host: String
    let port: UInt16

    /// Parses `PORT`, `ADDRESS:PORT` or `[ADDRESS]:PORT`. Without an address, it is 127.0.0.1.
    ///
    /// - Throws: `ValidationError` with the problem and the fix.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let (host, port): (String, String)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = String(text[..<end].dropFirst())
            port = String(text[text.index(after: end)...].drop { $0 == ":" })
        } else if parts.count > 2 {
            throw ValidationError("an IPv6 address needs brackets – such as [::1]:9720")
        } else {
            host = parts.count == 2 ? parts[0] : "127.0.0.1"
            port = parts[parts.count - 1]
        }
        guard !port.isEmpty, port.allSatisfy({ ("0"..."9").contains($0) }) else {
            throw ValidationError("invalid port \"\(port)\" – such as 9720 or 127.0.0.1:9720")
        }
        guard let port = UInt16(port) else {
            throw ValidationError("port out of range – 0 to 65535, where 0 is any free port")
        }
        guard host != "" else {
            throw ValidationError("missing address – 0.0.0.0:\(port) listens on all interfaces")
        }
        let numeric = host == "localhost" ? "127.0.0.1" : host
        guard let address = try? SocketAddress(ipAddress: numeric, port: Int(port)) else {
            throw ValidationError("\"\(host)\" is not a numeric address")
        }
        self.init(address)
    }

    /// The address of a socket, in its shortest form.
    init(_ address: SocketAddress) {
        host = address.ipAddress ?? ""
        port = UInt16(clamping: address.port ?? 0)
    }

    /// Whether the address is a loopback address: only this machine can connect.
    var isLoopback: Bool {
        (try? socketAddress.isLoopback) ?? false
    }

    /// The address for SwiftNIO.
    var socketAddress: SocketAddress {
        get throws { try SocketAddress(ipAddress: host, port: Int(port)) }
    }

    /// The address as in a URL: `127.0.0.1:9720`, `[::1]:9720`.
    var text: String {
        "\(host.bracketed):\(port)"
    }
}

extension SocketAddress {
    /// Whether the address is a loopback address: `127.0.0.0/8`, also as an IPv6 address (`::ffff:127.0.0.1`), or `::1`.
    var isLoopback: Bool {
        // The system's text of the bytes is normalized.
        let text = ipAddress ?? ""
        return text == "::1" || ["127.", "::ffff:127."].contains(where: text.hasPrefix)
    }
}
