#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many descriptors this process may have open. Each connection under way takes one.
public struct DescriptorLimit: Sendable, Hashable {
    /// As many as any program here needs; a limit in the millions only costs programs that close them one by one.
    static let plenty: UInt = 65_536

    /// The limit that counts.
    public let soft: UInt
    /// What the process itself may raise it to.
    public let hard: UInt

    /// The limits of this moment.
    public static var current: DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return DescriptorLimit(soft: 0, hard: 0) }
        return DescriptorLimit(soft: UInt(limit.rlim_cur), hard: UInt(limit.rlim_max))
    }

    /// Raises the soft limit to the hard one, or to plenty, if that is less; a higher one is left as it is.
    @discardableResult
    public static func raise() -> DescriptorLimit {
        let before = current
        #if canImport(Darwin)
            // The kernel takes no more than this, even where it says that there is no limit.
            let wanted = min(before.hard, plenty, UInt(OPEN_MAX))
        #else
            let wanted = min(before.hard, plenty)
        #endif
        guard wanted > before.soft else { return before }
        var limit = rlimit()
        (limit.rlim_cur, limit.rlim_max) = (rlim_t(wanted), rlim_t(before.hard))
        setrlimit(resource, &limit)
        return current
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif
}
