import LibC

/// How many descriptors this process may have open. Each connection under way takes one.
public struct DescriptorLimit: Sendable, Hashable {
    /// As many as any program here needs; a limit in the millions only costs programs that close them one by one.
    static let plenty: UInt = 65_536

    /// The limit that counts.
    public let soft: UInt
    /// What the process itself may raise it to.
    public let hard: UInt

    /// A limit of these values.
    public init(soft: UInt, hard: UInt) {
        self.soft = soft
        self.hard = hard
    }

    /// What the soft limit is once it has been raised.
    public var raised: UInt {
        #if canImport(Darwin)
            // The kernel takes no more than this, even where it says that there is no limit.
            max(soft, min(hard, Self.plenty, UInt(OPEN_MAX)))
        #else
            max(soft, min(hard, Self.plenty))
        #endif
    }

    /// The limits of this moment.
    public static var current: DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return DescriptorLimit(soft: 0, hard: 0) }
        return DescriptorLimit(soft: UInt(limit.rlim_cur), hard: UInt(limit.rlim_max))
    }

    /// Raises the soft limit to the hard one, or to plenty, if that is less; a higher one is left as it is.
    public static func raise() {
        let before = current
        guard before.raised > before.soft else { return }
        DescriptorLimit(soft: before.raised, hard: before.hard).apply()
    }

    /// Makes these the limits of this process; what the system does not allow is not done.
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
