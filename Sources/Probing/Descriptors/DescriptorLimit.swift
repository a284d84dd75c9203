import LibC

/// The limit on the open descriptors of this process. Each connection in flight takes one.
public struct DescriptorLimit: Sendable, Hashable {
    /// More than any configuration needs. A limit in the millions slows down programs that close descriptors one by
    /// one.
    static let plenty: UInt = 65_536

    /// The limit in force.
    public let soft: UInt
    /// The highest soft limit that the process may set.
    public let hard: UInt

    /// Creates a limit with these values.
    public init(soft: UInt, hard: UInt) {
        self.soft = soft
        self.hard = hard
    }

    /// The soft limit after ``raise()``.
    public var raised: UInt {
        #if canImport(Darwin)
        // The kernel accepts no higher value, even if the hard limit is infinite.
        max(soft, min(hard, Self.plenty, UInt(OPEN_MAX)))
        #else
        max(soft, min(hard, Self.plenty))
        #endif
    }

    /// The current limits of this process.
    public static var current: DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return DescriptorLimit(soft: 0, hard: 0) }
        return DescriptorLimit(soft: UInt(limit.rlim_cur), hard: UInt(limit.rlim_max))
    }

    /// Raises the soft limit to the hard one, at most to 65,536. A higher soft limit is kept.
    public static func raise() {
        let before = current
        guard before.raised > before.soft else { return }
        DescriptorLimit(soft: before.raised, hard: before.hard).apply()
    }

    /// Sets the limits of this process; errors are ignored.
    public func apply() {
        var limit = rlimit()
        (limit.rlim_cur, limit.rlim_max) = (rlim_t(soft), rlim_t(hard))
        setrlimit(Self.resource, &limit)
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
