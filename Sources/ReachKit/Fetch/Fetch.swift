#if Fetch

public import Logging
public import NIOCore
import ReachMonitoring
import ReachProbing

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An HTTP client that retries: it fetches a URL, tries again while the error is transient, and waits between the tries
/// until the host accepts connections.
///
/// ```swift
/// let page = try await Fetch.shared.data(from: "https://example.com/")
/// ```
///
/// Transient errors (``Error/isRetryable``) of idempotent methods (RFC 9110 §9.2.2) are retried, after random pauses of
/// up to 0.5 s, 1 s, 2 s … 30 s ("full jitter"), and not before the time of `Retry-After`. ``Policy`` configures that.
/// Nothing is open before the first request, and everything is closed with the last copy of the value. When the task of
/// a fetch is cancelled, the fetch ends at once, and so does its connection. One that is still being opened cannot be
/// cancelled: its socket stays until its timeout is over, after ten seconds at most. If it is established before, another
/// fetch can use it.
///
/// Use one value for several fetches, such as ``shared``, because it keeps connections for a minute. Retries have new
/// connections, and so has a request that must not be sent twice, such as a POST. Requests are HTTP/1.1; HTTP/2 is used
/// only for a server that has nothing else.
public struct Fetch: Sendable {
    /// The client with the default configuration. It is never shut down unless you do it.
    ///
    /// It trusts the system's authorities, obeys the environment of the process, and probes with ``Prober/shared``.
    public static let shared = Fetch()

    /// The default of the maximum number of retries of a fetch: 10.
    public static let defaultMaximumRetries = 10
    /// The default of the maximum number of connections to one host: 256.
    public static let defaultMaximumConnectionsPerHost = 256

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
    /// Whether this machine's path to the network may be expensive (``NetworkPath/isExpensive``).
    ///
    /// If not, the path is looked up before each try. A try by an expensive one fails with
    /// ``Error/expensiveNotAllowed``. A path of which the system does not report it, as on Linux, does not count as
    /// expensive.
    public var allowExpensive: Bool
    /// The same for ``NetworkPath/isConstrained`` and ``Error/constrainedNotAllowed``.
    public var allowConstrained: Bool
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
    ///   - allowExpensive: whether the path to the network may be expensive, as in ``allowExpensive-property``.
    ///   - allowConstrained: the same for ``NetworkPath/isConstrained``.
    ///   - maximumConnectionsPerHost: how many requests to one host, with its port, run at a time; at least one. Further
    ///     ones wait in the order of their arrival, which does not count for ``Request/timeout``. A stream counts until
    ///     its end.
    ///   - environment: the variables that name proxies, as for curl (curl(1), "Environment"): `http_proxy`,
    ///     `https_proxy`, `all_proxy` and `no_proxy`, and `SSL_CERT_FILE` and `SSL_CERT_DIR`, the authorities in place of
    ///     the system's; the environment of the process by default.
    ///   - eventLoopGroup: the event loops of the connections; SwiftNIO's shared ones by default. Call ``shutdown()``
    ///     before you shut them down.
    ///   - date: the current date, for dates in responses. One that is not finite counts as 1970.
    ///   - logger: gets a message for each exchange at level debug; silent by default.
    public init(
        prober: Prober = .shared,
        policy: Policy = Policy(),
        waiting: Waiting = .betweenTries(atMost: .seconds(30)),
        tls: TLS = TLS(),
        allowCellular: Bool = true,
        allowExpensive: Bool = true,
        allowConstrained: Bool = true,
        maximumConnectionsPerHost: Int = Self.defaultMaximumConnectionsPerHost,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        eventLoopGroup: (any EventLoopGroup)? = nil,
        date: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.prober = prober
        self.policy = policy
        self.waiting = waiting
        self.allowCellular = allowCellular
        self.allowExpensive = allowExpensive
        self.allowConstrained = allowConstrained
        let finiteDate = { @Sendable in
            let now = date()
            // A comparison of dates takes NaN for a value in the range.
            return abs(now.timeIntervalSince1970) < 1e11 ? now : Date(timeIntervalSince1970: 0)
        }
        self.date = finiteDate
        transport = HTTPTransport(
            now: { Int64(finiteDate().timeIntervalSince1970) },
            proxies: Proxies(environment: environment),
            tls: tls,
            environment: environment,
            maximumConnectionsPerHost: maximumConnectionsPerHost,
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }

    /// Closes the connections of this value and its copies. Fetches under way end with ``Error/cancelled``, also during
    /// a pause or a wait for the host, and so do later ones.
    ///
    /// Call it before you shut down the event loops that the client was given. It is not needed otherwise. It returns
    /// once everything is closed, after a second at most. It does not wait for a connection that is still being opened,
    /// or for a name lookup.
    public func shutdown() async {
        await transport.shutdown()
    }
}

extension Fetch {
    /// Which errors are followed by another try, and after which pause. The number of retries is not part of it.
    public struct Policy: Sendable {
        /// The decision of a ``retrier``.
        public enum Decision: Sendable, Hashable {
            /// As without a retrier: ``Policy/isRetryable`` and the request's method decide.
            case standard
            /// Another try, after the usual pause, which is random, and not before the time of `Retry-After`.
            case retry
            /// Another try, after exactly this pause; negative counts as zero. If it is longer than the rest of the time
            /// limit, the fetch ends at once with ``Fetch/Error/expired(last:)``.
            case retryAfter(Duration)
            /// No other try: the fetch throws the error.
            case fail
        }

        /// Whether another try may succeed after this error.
        public var isRetryable: @Sendable (Error) -> Bool
        /// Decides after each failed try, while there is a retry left, and may wait; nil by default. If the last retry
        /// was its decision and has the same error again, the fetch throws ``Error/retriesExhausted(last:tries:)``.
        ///
        /// It gets the error, the request, and the number of tries so far. The next try has the header fields that it
        /// leaves in the request, such as a renewed `Authorization`; other changes have no effect. It decides for every
        /// method, so a request that must not be sent twice needs `.standard` or `.fail`.
        public var retrier: (@Sendable (Error, inout Request, Int) async -> Decision)?
        /// Whether a request may be sent twice, for any method. One with an `Idempotency-Key` is always sent
        /// again, because the server recognizes the repetition by the key
        /// (https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/).
        public var repeatsAnyMethod: Bool
        /// The limit of the first pause. Each retry doubles the limit, and each pause is random below it.
        public var basePause: Duration
        /// The limit that no random pause exceeds, at most a day.
        public var maximumPause: Duration
        /// The longest `Retry-After` that is waited for. A longer one, or one beyond the time limit of the fetch, ends the
        /// fetch at once with ``Error/retryAfter(_:)``.
        public var maximumRetryAfter: Duration

        /// Creates a policy. By default, transient errors (``Error/isRetryable``) are retried with idempotent methods,
        /// after pauses below 0.5 s, 1 s, 2 s … 30 s, and a `Retry-After` of up to a minute is waited for.
        public init(
            repeatsAnyMethod: Bool = false,
            basePause: Duration = .milliseconds(500),
            maximumPause: Duration = .seconds(30),
            maximumRetryAfter: Duration = .seconds(60),
            isRetryable: @escaping @Sendable (Error) -> Bool = { $0.isRetryable },
            retrier: (@Sendable (Error, inout Request, Int) async -> Decision)? = nil
        ) {
            self.isRetryable = isRetryable
            self.retrier = retrier
            self.repeatsAnyMethod = repeatsAnyMethod
            self.basePause = basePause
            self.maximumPause = maximumPause
            self.maximumRetryAfter = maximumRetryAfter
        }

        /// The random pauses. Negative durations count as zero.
        var backoff: Backoff {
            let cap = min(max(.zero, maximumPause), .seconds(86_400))
            return Backoff(base: min(max(.zero, basePause), cap), cap: cap)
        }
    }
}

extension Fetch {
    /// The progress of a fetch.
    public enum Event: Sendable, Hashable {
        /// This endpoint, `example.com:443`, does not accept connections, for this reason. Reported again when the
        /// reason changes.
        case waiting(for: String, because: String)
        /// The request is sent. Tries are counted from one.
        case sending(try: Int)
        /// This many bytes of the request's body were passed to the connection so far, of this length.
        case sent(Int64, of: Int64)
        /// This many tries have failed, the last one with this error. The next one follows after this pause.
        case pausing(Duration, tries: Int, after: Error)
        /// The body of a good response begins, or the rest of one that was cut off. Its length in bytes is nil when the
        /// server does not send it.
        case receiving(length: Int64?)
        /// This many bytes of the body were received so far, and written where it goes to a file or a stream, of this
        /// length. Both count the whole body, also if it is continued after it was cut off. The length is nil when the
        /// server does not send it, or the body is decompressed.
        case received(Int64, of: Int64?)
    }
}

extension Fetch {
    /// Fetches a URL into memory.
    ///
    /// - Parameters:
    ///   - request: a URL as a text or as a Foundation `URL`, or a ``Request`` with a URL, method, header fields and body.
    ///   - limit: the time limit of the whole fetch, with all tries and pauses, by the prober's clock; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - requiresBody: whether a good response without a body is an error. The response to a HEAD, and those with the
    ///     status 204 or 205, never have a body and are no errors.
    ///   - onEvent: called for each event, on any thread. To update the main actor, begin a task in it:
    ///     `Task { @MainActor in … }`.
    /// - Returns: The body of a good response (HTTP 200 to 299), up to ``Request/maximumBodySize`` bytes.
    /// - Throws: ``Error/retriesExhausted(last:tries:)`` when the retries of a transient error are used up,
    ///   ``Error/expired(last:)`` when the time is over, and any other error itself, such as ``Error/status(_:)``.
    public func data(
        from request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Data {
        try await response(
            to: request,
            within: limit,
            maximumRetries: maximumRetries,
            requiresBody: requiresBody,
            onEvent: onEvent
        ).body
    }

    /// Fetches a whole response into memory: status, header fields and body.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - limit: the time limit of the whole fetch; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - requiresBody: whether a good response without a body is an error.
    ///   - onEvent: called for each event, on any thread.
    /// - Returns: A good response (HTTP 200 to 299).
    /// - Throws: ``Error/retriesExhausted(last:tries:)`` when the retries of a transient error are used up,
    ///   ``Error/expired(last:)`` when the time is over, and any other error itself, such as ``Error/status(_:)``.
    public func response(
        to request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        requiresBody: Bool = false,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Response {
        try await response(
            to: request.fetchRequest,
            into: nil,
            within: limit,
            maximumRetries: maximumRetries,
            requiresBody: requiresBody,
            onEvent: onEvent
        )
    }
}

extension Fetch {
    /// A response whose body is a sequence of pieces, none of them empty. The next piece is read from the connection
    /// once this one is consumed, so memory stays bounded for any length.
    ///
    /// The body can be read once, by one task at a time: all iterators share one position, so a second loop gets no
    /// pieces, and an iterator throws ``Error/invalid(_:)`` while another one waits for a piece. The connection is closed when the body ends, the task is
    /// cancelled, or the stream is released with its iterator.
    public struct Stream: AsyncSequence, Sendable {
        /// The status and the header fields. The body is empty: it is this sequence.
        public let response: Response
        let body: StreamedFetch

        /// The pieces that were not read yet.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body: body)
        }

        /// The position in the body.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: StreamedFetch

            /// The next piece; nil after the last one.
            ///
            /// - Throws: The error of the body, once: it is incomplete.
            public mutating func next() async throws(Error) -> Data? {
                try await body.next()
            }
        }
    }

    /// Fetches a URL piece by piece. Returns with the status and the header fields of a good response (HTTP 200 to 299),
    /// before its body.
    ///
    /// There are retries until then. A body that ends early is not restarted.
    ///
    /// - Parameters:
    ///   - request: a URL, or a ``Request``.
    ///   - limit: the time limit of the whole fetch, until the end of the body; none by default.
    ///   - maximumRetries: the maximum number of retries; negative counts as zero.
    ///   - onEvent: called for each event, on any thread.
    /// - Throws: The error of the fetch: there was no good response.
    public func stream(
        from request: some RequestConvertible,
        within limit: Duration? = nil,
        maximumRetries: Int = Self.defaultMaximumRetries,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(Error) -> Stream {
        let request = request.fetchRequest.limitingKeptBody
        let body = StreamedFetch { sink async throws(Error) in
            _ = try await response(
                to: request,
                into: sink,
                within: limit,
                maximumRetries: maximumRetries,
                onEvent: onEvent
            )
        }
        return Stream(response: try await body.response(), body: body)
    }
}

#else

/// An HTTP client that retries, in a build with the trait "Fetch".
@available(*, unavailable, message: "add the trait \"Fetch\" to the dependency on reach")
public struct Fetch: Sendable {
    /// Not part of this build.
    public init() {}
}

#endif
