import AsyncHTTPClient
public import Logging
import Monitoring
public import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends requests, and owns the connections that they need.
///
/// Nothing is opened before the first request, and all is closed with the last reference. Certificates are verified, and
/// each try has a connection of its own: a request that must not be sent twice never meets one that the server has left.
public actor Fetcher {
    let logger: Logger
    private let now: @Sendable () -> Int64
    private let proxies: Proxies
    private let givenGroup: (any EventLoopGroup)?
    /// SwiftNIO's shared loops, the same sockets on every system so that errors mean the same everywhere, unless others were
    /// given. They have threads, which nobody needs before the first request.
    private var eventLoopGroup: any EventLoopGroup { givenGroup ?? MultiThreadedEventLoopGroup.singleton }
    private var state = State.idle

    private enum State {
        /// Nothing was asked yet.
        case idle
        /// Requests are sent by these clients, one for each way.
        case open([Route: HTTPClient])
        /// Nothing is sent any more.
        case shutDown
    }

    /// A fetcher that has opened nothing.
    ///
    /// - Parameters:
    ///   - now: the time in seconds since 1970, for dates in answers.
    ///   - proxies: through whom servers are asked; nobody unless given.
    ///   - eventLoopGroup: whose event loops its connections live on; SwiftNIO's shared ones unless given.
    ///   - logger: for those who look for a mistake; silent unless given.
    public init(
        now: @escaping @Sendable () -> Int64,
        proxies: Proxies = .none,
        eventLoopGroup: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "fetching") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.now = now
        self.proxies = proxies
        givenGroup = eventLoopGroup
        self.logger = logger
    }

    deinit {
        guard case .open(let clients) = state else { return }
        // Nobody asks any more, and nobody waits.
        Task { for client in clients.values { try? await client.shutdown() } }
    }

    /// Sends a request once, and once more for each redirect that it follows. When the task is cancelled, this returns at
    /// once.
    ///
    /// - Parameter sink: where the body of a good answer goes (200 to 299); without one, its beginning is kept.
    public func send(_ request: FetchRequest, into sink: (any BodySink)? = nil) async -> FetchOutcome {
        var (hop, hops) = (request, 0)
        while true {
            let outcome = await ask(hop, into: sink)
            logger.tried(hop, outcome)
            guard case .answer(let answer) = outcome else { return outcome.after(hops: hops, to: hop) }
            switch hop.redirection(by: answer, after: hops) {
            case .none: return outcome
            case .next(let next): (hop, hops) = (next, hops + 1)
            case .nowhere(let failure): return .failure(failure)
            }
        }
    }

    private func ask(_ request: FetchRequest, into sink: (any BodySink)?) async -> FetchOutcome {
        var route = Route.direct
        do throws(ProxyProblem) {
            if let question = request.question { route = try Route(to: question, by: proxies) }
        } catch {
            return .fault(Fault(.internal, detail: error.description))
        }
        guard let client = client(for: route) else { return .cancelled }
        return await Try(request: request, client: client, route: route, sink: sink, now: now).outcome()
    }

    /// Closes what is open. Requests under way are cancelled, and later ones are not sent.
    public func shutdown() async {
        defer { state = .shutDown }
        guard case .open(let clients) = state else { return }
        state = .shutDown
        // Closing waits for a look-up of a name, which the system does not let anyone end; we do not.
        let (ends, end) = AsyncStream<Never>.makeStream()
        Task {
            // It fails only where it was shut down before.
            for client in clients.values { try? await client.shutdown() }
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

    /// The client that goes this way; nil after the shutdown.
    private func client(for route: Route) -> HTTPClient? {
        let open: [Route: HTTPClient]
        switch state {
        case .open(let clients): open = clients
        case .shutDown: return nil
        case .idle: open = [:]
        }
        if let client = open[route] { return client }
        var configuration = Self.configuration
        route.configure(&configuration)
        let client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        state = .open(open.merging([route: client]) { $1 })
        return client
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
