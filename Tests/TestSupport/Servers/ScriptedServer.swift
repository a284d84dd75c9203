import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback that treats one request after another as its script says, the last line of it for ever, and keeps
/// what it was sent.
public final class ScriptedServer: Sendable {
    /// What is done with a request.
    public enum Deed: Sendable {
        /// Says this, and closes.
        case say(String)
        /// Says this, and breaks the connection off.
        case breakOff(after: String)
        /// Says the first, and then the second for ever.
        case endless(String, String)
        /// Says this, and holds the connection open.
        case hold(String)
    }

    private struct State {
        var script: [Deed]
        var requests: [String] = []
    }

    private let state: Mutex<State>
    private let onRequest: @Sendable () -> Void
    private let onClose: @Sendable () -> Void
    private let listening = Mutex<(any Channel)?>(nil)

    /// A server that listens.
    ///
    /// - Parameters:
    ///   - isPatient: whether it waits for the end of a request, or treats whatever comes as one.
    ///   - port: where it listens; a free port unless given.
    ///   - onRequest: is called for each request, before it is treated.
    ///   - onClose: is called when a connection has ended, whoever ended it.
    public static func on(
        _ script: Deed...,
        isPatient: Bool = true,
        port: Int = 0,
        onRequest: @escaping @Sendable () -> Void = {},
        onClose: @escaping @Sendable () -> Void = {}
    ) async throws -> ScriptedServer {
        let server = ScriptedServer(script, onRequest: onRequest, onClose: onClose)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptedClerk(isPatient: isPatient, next: server.next, onClose: server.onClose)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        server.listening.withLock { $0 = channel }
        return server
    }

    private init(
        _ script: [Deed],
        onRequest: @escaping @Sendable () -> Void,
        onClose: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(script: script))
        self.onRequest = onRequest
        self.onClose = onClose
    }

    /// Where it listens: `http://127.0.0.1:34567/hook`.
    public var url: String { "http://127.0.0.1:\(port)/hook" }

    /// The port that it listens on; zero when it has stopped.
    public var port: Int { listening.withLock { $0?.localAddress?.port ?? 0 } }

    /// What it was sent so far.
    public var requests: [String] {
        state.withLock { $0.requests }
    }

    /// Listens no longer: whoever connects is refused.
    public func stop() async throws {
        try await listening.withLock { $0 }?.close()
    }

    private func next(_ request: String) -> Deed {
        onRequest()
        return state.withLock { state in
            state.requests.append(request)
            return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
        }
    }
}
