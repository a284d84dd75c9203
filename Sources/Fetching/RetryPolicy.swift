import Monitoring

/// When a request is sent again: only after what may pass by itself, only where sending it twice does no harm, and with
/// pauses that grow.
///
/// It knows no clock and no network: each call takes how a try ended and returns what to do.
public struct RetryPolicy: Sendable, Hashable {
    /// The most that ``retries`` may be.
    public static let mostRetries = 10

    /// How often a request is sent again at the most.
    public let retries: Int
    /// Whether sending the request twice does no harm.
    public let isRepeatable: Bool
    private var backoff = Backoff()

    /// The policy of one request, before its first try.
    ///
    /// - Parameters:
    ///   - method: the request's method. One that is not idempotent (RFC 9110 §9.2.2) is not sent again.
    ///   - retries: how often it is sent again at the most: 0…10.
    ///   - repeatsAnyMethod: whether the user has said that sending it twice does no harm, whatever its method.
    public init(of method: String, retries: Int = Self.mostRetries, repeatsAnyMethod: Bool = false) {
        self.retries = min(max(0, retries), Self.mostRetries)
        isRepeatable = repeatsAnyMethod || Self.idempotentMethods.contains(method)
    }

    /// RFC 9110 §9.2.2.
    private static let idempotentMethods: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"]

    /// How many tries were given a pause and another try.
    public var retriesSoFar: Int { backoff.tries }

    /// The pause before the next try, or nil when there is none, since the answer stands, or nothing would help.
    ///
    /// The pause is random below a limit that doubles, but as long as the server asks for by `Retry-After` (RFC 9110
    /// §10.2.3), and in any case at most thirty seconds: a server does not decide how long we wait for it.
    ///
    /// - Parameter mayPass: whether another try may end better; what the outcome itself says unless given.
    public mutating func pause(
        after outcome: FetchOutcome,
        mayPass: Bool? = nil,
        using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        guard isRepeatable, mayPass ?? outcome.mayPass, backoff.tries < retries else { return nil }
        return backoff.pause(atLeast: outcome.retryAfter ?? .zero, using: &generator)
    }
}
