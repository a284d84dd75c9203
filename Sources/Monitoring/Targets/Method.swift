/// How a target is asked: the scheme of its URL.
///
/// A new method is one case here, one case of ``Question`` and one prober; the compiler asks for the rest.
public enum Method: String, Sendable, Hashable, CaseIterable {
    /// An ICMP echo request is answered by an echo reply (RFC 792, RFC 4443).
    case icmp
    /// A TCP connection is accepted, and closed again at once.
    case tcp

    /// The time between probes where the settings say nothing.
    public var defaultInterval: Duration {
        switch self {
        case .icmp: .seconds(1)
        case .tcp: .seconds(2)
        }
    }

    /// How long a probe may take where the settings say nothing.
    public func defaultTimeout(interval: Duration) -> Duration {
        switch self {
        case .icmp: min(.seconds(1), interval * longestTimeoutInIntervals)
        case .tcp: min(interval, .seconds(5))
        }
    }

    /// How many intervals a timeout may span. An echo request may leave while the last one is unanswered, so that a
    /// satellite link at 1.2 s is not down; every other method has one probe in flight.
    public var longestTimeoutInIntervals: Int {
        switch self {
        case .icmp: 10
        case .tcp: 1
        }
    }

    /// Whether the next probe may leave while the last one is unanswered.
    public var overlaps: Bool {
        switch self {
        case .icmp: true
        case .tcp: false
        }
    }
}
