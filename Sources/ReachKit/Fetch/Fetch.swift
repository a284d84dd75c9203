public import Logging
import Monitoring
public import NIOCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An HTTP client that retries: it fetches a URL, tries again while the error may pass, and waits between the tries until the
/// host accepts connections.
///
/// ```swift
/// let page = try await Fetch().data(from: "https://example.com/")
/// ```
///
/// Errors that may pass (``Error/isRetryable``) are retried, with methods that may be sent twice (RFC 9110 §9.2.2), after
/// random pauses of up to 0.5 s, 1 s, 2 s … 30 s ("full jitter"), and not before the time of `Retry-After`, within 30 s.
/// Nothing is open before the first request, and everything is closed with the last copy of the value. Keep one for several
/// fetches, since TLS is configured once; any number may run at a time. When the task of a fetch is cancelled, the
/// connection is closed and the fetch ends at once.
public struct Fetch: Sendable {
    /// The upper limit of one fetch's retries.
    public static let mostRetries = RetryState.mostRetries

    /// Which errors are retried.
    public var policy: Policy
    /// When it waits for the host.
    public var waiting: Waiting
    let prober: Prober
    let transport: HTTPTransport
    /// The random source of the pauses.
    var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// A client that has opened nothing.
    ///
    /// - Parameters:
    ///   - prober: probes whether the host accepts connections; its clock measures the pauses.
    ///   - policy: which errors are retried.
    ///   - waiting: when it waits for the host.
    ///   - environment: the variables that name proxies, as for curl (curl(1), "Environment"): `http_proxy`, `https_proxy`,
    ///     `all_proxy` and `no_proxy`; the environment of the process by default.
    ///   - eventLoopGroup: the event loops of the connections; SwiftNIO's shared ones by default. It must outlive the
    ///     client.
    ///   - date: the current date, for dates in responses.
    ///   - logger: gets a line for each exchange at level debug; silent by default.
    public init(
        by prober: Prober = .shared,
        policy: Policy = Policy(),
        waiting: Waiting = .betweenTries(atMost: .seconds(30)),
        environment: [String: String] = ProcessInfo.processInfo.environment,
        eventLoopGroup: (any EventLoopGroup)? = nil,
        date: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "reach") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.prober = prober
        self.policy = policy
        self.waiting = waiting
        transport = HTTPTransport(
            now: { Int64(date().timeIntervalSince1970) },
            proxies: Proxies(environment: environment),
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }
}
