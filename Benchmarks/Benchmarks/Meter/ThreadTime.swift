import ReachSystem

/// The processor time of this thread, independent of other threads and programs.
public enum ThreadTime {
    /// The time in nanoseconds, from an unspecified origin.
    public static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }
}
