import LibC

extension TLSContexts {
    /// The seconds since 1970, by the system's clock.
    static let systemTime: @Sendable () -> Int64 = {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec)
    }
}
