/// The typical interval of a target's probes. It recognizes gaps: a pause, a suspended machine.
///
/// Eight bytes, so times are kept in wrapping milliseconds. A gap of exactly a multiple of 49 days is not seen.
struct ReplyPace: Sendable, Hashable {
    /// When the last probe ended, in wrapping milliseconds.
    private var last: UInt32 = 0
    /// The mean interval in milliseconds. Zero: one probe so far; negative: none.
    private var mean: Float = -1

    /// A gap is this many times as long as the mean interval, and longer by ``leastGap``.
    static let gapFactor: Float = 5
    static let leastGap: Float = 60_000
    /// Outcomes may arrive out of order, by at most an hour. A larger step back is a gap.
    static let mostDisorder: UInt32 = 3_600_000

    /// The mean interval; zero if it is not known.
    var interval: Duration { .milliseconds(Int64(max(0, mean))) }

    /// Records that a probe ended.
    ///
    /// - Returns: whether there was a gap before it.
    mutating func advance(to now: Duration) -> Bool {
        let time = now.wrappingMilliseconds
        guard mean >= 0 else {
            (last, mean) = (time, 0)
            return false
        }
        let elapsed = time &- last
        if elapsed > UInt32.max - Self.mostDisorder { return false }
        last = time
        let step = Float(elapsed)
        guard mean > 0 else {
            mean = step
            return false
        }
        let isGap = step > mean * Self.gapFactor && step > mean + Self.leastGap
        // A gap counts a little, so that a longer interval after a reload is learned.
        mean += (min(step, 2 * mean) - mean) * 0.1
        return isGap
    }
}
