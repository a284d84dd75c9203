import Fetching
public import Logging
import Monitoring
public import NIOCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Gets what stands behind a URL, no matter what: asks, asks again while the trouble can pass, and waits meanwhile until
/// somebody is there to be asked.
///
/// ```swift
/// let page = try await Fetch().data(from: "https://example.com/")
/// ```
///
/// Tried again is what can pass (``FetchError/isRetryable``), with a method that may be sent twice (RFC 9110 §9.2.2), after
/// random pauses of up to 0.5 s, 1 s, 2 s … 30 s ("full jitter"), but not sooner than `Retry-After` asks, within 30 s.
/// Nothing is open before the first request, and all is closed with the last copy of the value; who fetches often keeps
/// one, since TLS is made ready once. Any number may fetch by it at a time. When the task that fetches is cancelled, the
/// connection is closed and the fetch ends at once.
public struct Fetch: Sendable {
    /// The most retries that one fetch may have.
    public static let mostRetries = RetryPolicy.mostRetries

    /// What is tried again.
    public var policy: Policy
    /// When it waits for the host.
    public var waiting: Waiting
    let prober: Prober
    let proxies: Proxies
    let fetcher: Fetcher
    /// The source of the pauses' randomness.
    var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()

    /// What fetches, and has opened nothing.
    ///
    /// - Parameters:
    ///   - prober: what finds out whether the host accepts connections; its clock measures the pauses.
    ///   - policy: what is tried again.
    ///   - waiting: when it waits for the host.
    ///   - environment: where proxies are named, as for curl (curl(1), "Environment"): `http_proxy`, `https_proxy`,
    ///     `all_proxy` and `no_proxy`; that of the process unless given.
    ///   - eventLoopGroup: whose event loops the connections live on; SwiftNIO's shared ones unless given. It must
    ///     outlive what fetches.
    ///   - date: the time of day, by which dates in answers are understood.
    ///   - logger: for those who look for a mistake; silent unless given.
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
        proxies = Proxies(environment: environment)
        fetcher = Fetcher(
            now: { Int64(date().timeIntervalSince1970) },
            proxies: proxies,
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }
}
