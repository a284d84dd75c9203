#if Fetch

import AsyncHTTPClient
package import Logging
package import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import ReachMonitoring
import ReachProbing
import ReachSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends requests and owns the HTTP clients for them.
///
/// Nothing is opened before the first request, and everything is closed with the last reference. Certificates are
/// verified. Connections are kept for requests that may be sent twice. Another request has a connection of its own, so
/// it never uses a connection that the server is about to close.
///
/// An exchange that ends while its connection is being opened leaves the attempt to AsyncHTTPClient, which cannot cancel
/// it (docs/decisions.md). The attempt has the timeout of its request, ten seconds at most. Then it has failed, or its
/// connection is closed, or kept for the next request where that may be sent twice.
package actor HTTPTransport {
    nonisolated let proxies: Proxies
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let tls: Fetch.TLS
    private let authorities: AuthorityFiles
    private let maximumConnectionsPerHost: Int
    private let queue: ExchangeQueue
    private let givenGroup: (any EventLoopGroup)?
    /// The given event loops, or SwiftNIO's shared ones: POSIX sockets on every system, so that errors are the same on
    /// all of them. The threads start with the first request.
    private var eventLoopGroup: any EventLoopGroup { givenGroup ?? MultiThreadedEventLoopGroup.singleton }
    /// Whether servers are checked by ``PeerCheckHandler``. Connections of other event loops, such as those of
    /// Network.framework, do not show the certificate, and their TLS library verifies the name.
    private var checksPeers: Bool { tls.verifiesServer && eventLoopGroup is MultiThreadedEventLoopGroup }
    private let deadlines = RunningDeadlines()
    nonisolated let shutdownSignal = ShutdownSignal()
    private var state = State.open([:])

    /// The properties of the requests that share a client.
    private struct Use: Hashable {
        let route: RequestRoute
        /// Whether it is used for TLS.
        let isSecure: Bool
        /// Whether compressed bodies are decompressed.
        let isDecompressed: Bool
        /// Whether connections are kept for the next request.
        var keepsConnections = false
        /// Whether HTTP/2 is offered.
        var offersHTTP2 = false
        /// How long opening a connection may take.
        let connectTimeout: Duration
    }

    private enum State {
        /// The clients so far.
        case open([Use: HTTPClient])
        /// Later requests are cancelled.
        case shutDown
    }

    /// Creates a transport. Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - now: the time in seconds since 1970, for dates in responses.
    ///   - proxies: the proxies of requests; none by default.
    ///   - tls: how servers are verified; by the system's authorities by default.
    ///   - environment: may name trusted authorities, `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    ///   - maximumConnectionsPerHost: how many requests to one host run at a time.
    ///   - eventLoopGroup: the event loops of its connections; SwiftNIO's shared ones by default.
    ///   - logger: gets a message for each exchange at level debug; silent by default.
    package init(
        now: @escaping @Sendable () -> Int64,
        proxies: Proxies = .none,
        tls: Fetch.TLS = Fetch.TLS(),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        maximumConnectionsPerHost: Int = Fetch.defaultMaximumConnectionsPerHost,
        eventLoopGroup: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "fetching") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.now = now
        self.proxies = proxies
        self.tls = tls
        authorities = AuthorityFiles(tls.authorities, environment: environment)
        self.maximumConnectionsPerHost = max(1, maximumConnectionsPerHost)
        queue = ExchangeQueue(limit: maximumConnectionsPerHost)
        givenGroup = eventLoopGroup
        self.logger = logger
    }

    /// The number of exchanges that wait for others to the same host.
    nonisolated var waitingCount: Int { queue.waitingCount }

    deinit {
        guard case .open(let clients) = state else { return }
        // Begins to close the connections before this returns, so that the caller may shut the event loops down next.
        for client in clients.values { client.shutdown { _ in } }
    }

    /// Sends a valid request once, and once more for each redirect that it follows. Returns at once when the task is
    /// cancelled.
    ///
    /// - Parameters:
    ///   - sink: the destination of the body of a good response (200 to 299); nil to keep it in memory, up to the
    ///     limit.
    ///   - usesKeptConnections: whether a request that may be sent twice can use a connection of an earlier one.
    ///   - onEvent: called for the progress of the body of a good response.
    ///   - onResponse: called with the URL of the response that is returned, after redirects.
    /// - Returns: The response, with any status; its body can be incomplete.
    package func send(
        _ request: Fetch.Request,
        into sink: (any BodySink)? = nil,
        usesKeptConnections: Bool = true,
        onEvent: @escaping @Sendable (Fetch.Event) -> Void = { _ in },
        onResponse: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(Fetch.Error) -> Fetch.Response {
        var (hop, hops) = (request, 0)
        var cookies = CookieJar()
        while true {
            let response: Fetch.Response
            do throws(Fetch.Error) {
                response = try await exchangeInTurn(
                    hop.adding(cookies),
                    into: sink,
                    usesKeptConnections: usesKeptConnections,
                    onEvent: onEvent
                )
                log(hop, response.summary)
            } catch {
                log(hop, error.description)
                throw hops == 0 ? error : error.afterRedirect(to: hop)
            }
            guard let next = try hop.redirected(by: response, after: hops) else {
                onResponse(hop.url)
                return response
            }
            if let question = hop.question {
                cookies.store(response.headers[values: .setCookie], from: question, at: now())
            }
            (hop, hops) = (next, hops + 1)
        }
    }

    /// Sends one request, once fewer than the maximum number of requests to its host are under way.
    private func exchangeInTurn(
        _ request: Fetch.Request,
        into sink: (any BodySink)?,
        usesKeptConnections: Bool,
        onEvent: @escaping @Sendable (Fetch.Event) -> Void
    ) async throws(Fetch.Error) -> Fetch.Response {
        let question = request.question
        let server = ExchangeQueue.Server(host: question?.host ?? "", port: question?.port ?? 0)
        return try await queue.run(with: server) { () async throws(Fetch.Error) in
            try await exchange(
                request,
                question,
                into: sink,
                usesKeptConnections: usesKeptConnections,
                onEvent: onEvent
            )
        }
    }

    private func exchange(
        _ request: Fetch.Request,
        _ question: HTTPQuestion?,
        into sink: (any BodySink)?,
        usesKeptConnections: Bool,
        onEvent: @escaping @Sendable (Fetch.Event) -> Void
    ) async throws(Fetch.Error) -> Fetch.Response {
        let route = if let question { try RequestRoute(to: question, by: proxies) } else { RequestRoute.direct }
        let use = Use(
            route: route,
            isSecure: question?.isSecure ?? false,
            isDecompressed: request.isDecompressed,
            connectTimeout: Self.connectTimeout(within: request.timeout)
        )
        var keepingUse = use
        keepingUse.keepsConnections = true
        var alternativeUse = use
        alternativeUse.offersHTTP2 = true
        let exchange = FetchExchange(
            request: request,
            client: try client(for: use),
            pool: usesKeptConnections && request.isRepeatable ? try client(for: keepingUse) : nil,
            alternative: use.isSecure && request.isRepeatable ? try client(for: alternativeUse) : nil,
            route: route,
            sink: sink,
            deadlines: deadlines,
            checksPeer: use.isSecure && checksPeers,
            inspection: route == .direct && use.isSecure && checksPeers
                ? FetchExchange.Inspection(authorities: authorities, group: eventLoopGroup) : nil,
            now: now,
            onEvent: onEvent
        )
        return try await exchange.response()
    }

    /// Logs how an exchange ended, without the URL's query, which may contain a secret.
    private func log(_ request: Fetch.Request, _ summary: String) {
        logger.debug("\(request.method) \(request.url.prefix { $0 != "?" }): \(summary)")
    }

    /// Closes all connections. Requests under way are cancelled, and later ones are not sent.
    ///
    /// Returns once the connections are closed, or after a second. It does not wait for connections that are being opened,
    /// nor for name lookups, which both cannot be cancelled.
    package func shutdown() async {
        guard case .open(let clients) = state else { return }
        state = .shutDown
        shutdownSignal.send()
        let isConnecting = deadlines.isConnecting(at: .now)
        let timeout = isConnecting ? Self.shutdownTimeoutWhileConnecting : Self.shutdownTimeout
        _ = await withTimeout(timeout, clock: .suspending) { await Self.close(clients.values) }
    }

    /// Closes clients. Returns when all are closed, or the task is cancelled.
    private static func close(_ clients: some Collection<HTTPClient>) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        for client in clients { client.shutdown { _ in end.yield() } }
        var open = clients.count
        guard open > 0 else { return }
        for await _ in ends {
            open -= 1
            if open == 0 { return }
        }
    }

    private static let shutdownTimeout = Duration.seconds(1)
    /// Established connections are closed in less, and a client never ends before its attempts.
    private static let shutdownTimeoutWhileConnecting = Duration.milliseconds(100)

    /// The longest timeout of a connection.
    static let longestConnectTimeout = Duration.seconds(10)

    /// The timeout of the connection for a request that the server may leave without an answer for this long: a power of
    /// two in seconds, up to ten, because requests with one timeout share a client.
    static func connectTimeout(within silence: Duration) -> Duration {
        var timeout = Duration.seconds(1)
        while timeout < silence, timeout < longestConnectTimeout { timeout *= 2 }
        return min(timeout, longestConnectTimeout)
    }

    /// The client for a use.
    private func client(for use: Use) throws(Fetch.Error) -> HTTPClient {
        guard case .open(let clients) = state else { throw .cancelled }
        if let client = clients[use] { return client }
        var configuration = self.configuration(of: use)
        if use.isSecure { configuration.tlsConfiguration = try tls.configuration(trusting: authorities) }
        if use.isDecompressed {
            configuration.decompression = .enabled(limit: .size(Self.maxDecompressedLength))
            EmptyBodyHandler.configure(&configuration)
        }
        if use.offersHTTP2 { configuration.httpVersion = .automatic }
        use.route.configure(&configuration)
        ResponseStatusHandler.configure(&configuration)
        ServerActivityHandler.configure(&configuration, deadlines)
        if use.keepsConnections {
            UnansweredRequestHandler.configure(&configuration)
        } else {
            configuration.maximumUsesPerConnection = 1
            // A connection whose request was cancelled meanwhile must not wait for another one.
            configuration.connectionPool.idleTimeout = .zero
        }
        // Next to the client's parser, so that the other handlers see the bytes as the server sends them.
        ResponseHeadHandler.configure(&configuration)
        // Connections by HTTP/2 have no such handler: BoringSSL verifies the name.
        if use.isSecure, checksPeers, !use.offersHTTP2 { PeerCheckHandler.configure(&configuration) }
        let client = HTTPClient(eventLoopGroup: eventLoopGroup, configuration: configuration)
        state = .open(clients.merging([use: client]) { $1 })
        return client
    }

    /// The longest decompressed body, in bytes: a small body can become a thousand times as large.
    static let maxDecompressedLength = 256 * 1_024 * 1_024

    private func configuration(of use: Use) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(use.connectTimeout))
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maximumConnectionsPerHost
        // The caller decides on retries.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

extension Fetch.Error {
    /// The error with the host that a redirect led to.
    fileprivate func afterRedirect(to request: Fetch.Request) -> Fetch.Error {
        guard let failure, let host = request.question?.host else { return self }
        return Fetch.Error(Failure(failure.reason, detail: "\(failure.detail), after a redirect to \(host)"))
    }
}

extension HTTPClient.Configuration {
    /// Adds a handler after the encoder of requests, to each connection of a client by HTTP/1.1. A later handler gets requests
    /// earlier, and the bytes of the server later.
    mutating func addHandlerAfterEncoder(_ make: @escaping @Sendable () -> some ChannelHandler) {
        addHandler(after: { try $0.handler(type: HTTPRequestEncoder.self) }, make)
    }

    /// Adds a handler after the decoder of responses, to each connection of a client by HTTP/1.1.
    mutating func addHandlerAfterDecoder(_ make: @escaping @Sendable () -> some ChannelHandler) {
        addHandler(after: { try $0.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self) }, make)
    }

    private mutating func addHandler(
        after other: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> some ChannelHandler,
        _ make: @escaping @Sendable () -> some ChannelHandler
    ) {
        let next = http1_1ConnectionDebugInitializer
        http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(make(), position: .after(other(pipeline)))
            }.flatMap { next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture() }
        }
    }
}

#endif
