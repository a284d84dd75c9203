/// A delay that counts only the time in which this process ran.
///
/// The delay is waited for in slices. A slice that took much longer than planned does not count: this process was stopped or
/// frozen meanwhile, perhaps together with its child. Where every slice takes too long, as on a machine under heavy load, all
/// but the first count.
struct Countdown: Sendable {
    /// The longest slice.
    static let slice = Duration.seconds(1)
    /// How late a timer may be on a busy machine.
    static let tolerance = Duration.milliseconds(500)

    /// What is left of the delay.
    private(set) var left: Duration
    private var planned = Duration.zero
    private var plannedAt = Duration.zero
    private var wasLate = false

    /// A delay of which nothing has passed.
    init(_ delay: Duration) {
        left = delay
    }

    /// Begins the next slice, and returns how long to wait for its end.
    mutating func nextSlice(at now: Duration, atMost longest: Duration = Self.slice) -> Duration {
        plannedAt = now
        planned = max(.zero, min(left, longest, Self.slice))
        return planned
    }

    /// Counts the time since the slice began.
    mutating func advance(to now: Duration) {
        guard planned > .zero else { return }
        let elapsed = now - plannedAt
        let isLate = elapsed > planned + Self.tolerance
        if !isLate || wasLate { left = max(.zero, left - (isLate ? planned : elapsed)) }
        wasLate = isLate
        planned = .zero
    }
}
