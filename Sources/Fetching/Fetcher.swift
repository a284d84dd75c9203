import AsyncHTTPClient
public import Logging
import Monitoring
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests, and owns the connections that they need.
///
/// Nothing is opened before the first request. Certificates are verified, redirects are not followed, no proxy is used, and
/// each try has a connection of its own: a request that must not be sent twice never meets one that the server has left.
public actor Fetcher {
    let logger: Logger
    private let now: @Sendable () -> Int64
    private var state = State.idle

    private enum State {
        /// Nothing was asked yet.
        case idle
        /// Requests are sent by this client.
        case open(HTTPClient)
        /// Nothing is sent any more.
        case shutDown
    }

    /// A fetcher that has opened nothing.
    ///
    /// - Parameters:
    ///   - now: the time in seconds since 1970, for dates in answers.
    ///   - logger: for those who look for a mistake; silent unless given.
    public init(
        now: @escaping @Sendable () -> Int64,
        logger: Logger = Logger(label: "fetching") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.now = now
        self.logger = logger
    }

    /// Sends a request once. When the task is cancelled, this returns at once.
    public func send(_ request: FetchRequest) async -> FetchOutcome {
        guard let client = openClient() else { return .cancelled }
        let outcome = await Try(request: request, client: client, now: now).outcome()
        logger.tried(request, outcome)
        return outcome
    }

    /// Closes what is open. Requests under way are cancelled, and later ones are not sent.
    public func shutdown() async {
        defer { state = .shutDown }
        guard case .open(let client) = state else { return }
        state = .shutDown
        // Closing waits for a look-up of a name, which the system does not let anyone end; we do not.
        let (ends, end) = AsyncStream<Never>.makeStream()
        Task {
            // It fails only where it was shut down before.
            try? await client.shutdown()
            end.finish()
        }
        let patience = Task {
            try? await Task.sleep(for: Self.patience, clock: .suspending)
            end.finish()
        }
        for await _ in ends {}
        patience.cancel()
    }

    /// How long closing may take.
    private static let patience = Duration.seconds(1)

    private func openClient() -> HTTPClient? {
        switch state {
        case .open(let client): return client
        case .shutDown: return nil
        case .idle:
            // The same sockets on every system, so that errors mean the same everywhere.
            let client = HTTPClient(
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                configuration: Self.configuration
            )
            state = .open(client)
            return client
        }
    }

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(10))
        )
        configuration.httpVersion = .http1Only
        configuration.maximumUsesPerConnection = 1
        // When to try again is the policy's to say.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}
