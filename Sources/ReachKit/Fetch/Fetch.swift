#if Fetch
public import Logging
import Monitoring
public import NIOCore
import Probing

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP client that retries: it fetches a URL, tries again while the error is transient, and waits between the tries
/// until the host accepts connections.
///
/// ```swift
/// let page = try await Fetch().data(from: "https://example.com/")
/// ```
///
/// Transient errors (``Error/isRetryable``) of idempotent methods (RFC 9110 §9.2.2) are retried, after random pauses of
/// up to 0.5 s, 1 s, 2 s … 30 s ("full jitter"), and not before the time of `Retry-After`. ``Policy`` configures that.
/// Nothing is open before the first request, and everything is closed with the last copy of the value. When the task of
/// a fetch is cancelled, the connection is closed and the fetch ends at once.
///
/// Use one value for several fetches, because it keeps connections for a minute. Retries have new connections, and so
/// has a request that must not be sent twice, such as a POST. Up to 256 requests to one server run at a time.
public struct Fetch: Sendable {
    /// The default of the maximum number of retries of a fetch: 10.
    public static let defaultMaximumRetries = 10

    /// Which errors are retried, and after which pauses.
    public var policy: Policy
    /// When it waits for the host.
    public var waiting: Waiting
    /// Whether the host may be reached by a mobile network.
    ///
    /// If not, the link of packets to the host, or to its proxy, is looked up before each try: for a name, the link of
    /// the default route. A try by a mobile network fails with ``Error/cellularNotAllowed``. A link whose type the
    /// system does not report counts as another one.
    public var allowCellular: Bool
    let prober: Prober
    let transport: HTTPTransport
    /// The current date.
    let date: @Sendable () -> Date
    /// Finds the link of packets to an endpoint.
    var findLink: @Sendable (Question) -> Reachability.Link = {
        Reachability.Link($0.outboundLinkKind(address: nil))
    }
    /// Generates the random pauses.
    var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// Creates a client. Nothing is opened before the first request.
    ///
    /// - Parameters:
    ///   - prober: probes whether the host accepts connections; its clock measures the pauses.
    ///   - policy: which errors are retried, and after which pauses.
    ///   - waiting: when it waits for the host.
    ///   - tls: the trusted authorities and the client's certificate; by default the system's authorities and none.
    ///   - allowCellular: whether the host may be reached by a mobile network, as in ``allowCellular-property``.
    ///   - environment: the variables that name proxies, as for curl (curl(1), "Environment"): `http_proxy`,
    ///     `https_proxy`, `all_proxy` and `no_proxy`; the environment of the process by default.
    ///   - eventLoopGroup: the event loops of the connections; SwiftNIO's shared ones by default. Call ``shutdown()``
    ///     before you shut them down.
    ///   - date: the current date, for dates in responses.
    ///   - logger: gets a message for each exchange at level debug; silent by default.
    public init(
        prober: Prober = .shared,
        policy: Policy = Policy(),
        waiting: Waiting = .betweenTries(atMost: .seconds(30)),
        tls: TLS = TLS(),
        allowCellular: Bool = true,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        eventLoopGroup: (any EventLoopGroup)? = nil,
        date: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.prober = prober
        self.policy = policy
        self.waiting = waiting
        self.allowCellular = allowCellular
        self.date = date
        transport = HTTPTransport(
            now: { Int64(date().timeIntervalSince1970) },
            proxies: Proxies(environment: environment),
            tls: tls,
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }

    /// Closes the connections of this value and its copies. Fetches under way end with ``Error/cancelled``, and so do
    /// later ones.
    ///
    /// Call it before you shut down the event loops that the client was given. It is not needed otherwise. It returns
    /// once everything is closed; a name lookup that hangs delays it by at most a second.
    public func shutdown() async {
        await transport.shutdown()
    }
}
#endif
