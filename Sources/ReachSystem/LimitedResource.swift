/// A resource that the system limits for each process (getrlimit(2)).
package enum LimitedResource: Sendable {
    case addressSpace
    case descriptors
    case fileSize
    case processes

    /// The limit in force, and the highest one that the process may set; nil if they cannot be read.
    package var limits: rlimit? {
        var limits = rlimit()
        return getrlimit(number, &limits) == 0 ? limits : nil
    }

    /// The limit in force; nil without one.
    package var limit: UInt64? {
        limits.flatMap { $0.rlim_cur < .max >> 1 ? UInt64($0.rlim_cur) : nil }
    }

    /// Sets both limits; errors are ignored.
    package func setLimits(_ limits: rlimit) {
        var limits = limits
        setrlimit(number, &limits)
    }

    #if canImport(Glibc)
    private var number: __rlimit_resource_t {
        switch self {
        case .addressSpace: __rlimit_resource_t(RLIMIT_AS.rawValue)
        case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        case .fileSize: __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        // RLIMIT_NPROC of <sys/resource.h>, which Swift's `Glibc` leaves out.
        case .processes: __rlimit_resource_t(6)
        }
    }
    #else
    private var number: Int32 {
        switch self {
        case .addressSpace: RLIMIT_AS
        case .descriptors: RLIMIT_NOFILE
        case .fileSize: RLIMIT_FSIZE
        case .processes: RLIMIT_NPROC
        }
    }
    #endif
}
