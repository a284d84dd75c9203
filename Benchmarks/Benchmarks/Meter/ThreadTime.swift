import LibC

/// The time that this thread has had a core: others on the machine do not count.
public enum ThreadTime {
    /// Nanoseconds, from no point in particular.
    public static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
