import LibC

extension Duration {
    /// What the clock on the wall shows, in microseconds: the time since 1970. It may be set at any moment.
    static var sinceEpoch: Duration {
        var time = timeval()
        gettimeofday(&time, nil)
        return .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
