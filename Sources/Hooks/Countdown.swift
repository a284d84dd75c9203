/// A delay that counts only time in which this process was running.
///
/// The delay is split into slices. A slice that takes much longer than planned does not count: this process was stopped
/// or frozen meanwhile, perhaps together with its child. If all slices take too long, as on a machine under heavy load,
/// all but the first count.
struct Countdown: Sendable {
    /// The maximum length of a slice.
    static let slice = Duration.seconds(1)
    /// The delay of a timer that is normal on a busy machine.
    static let tolerance = Duration.milliseconds(500)

    /// The remaining time.
    private(set) var remaining: Duration
    private var planned = Duration.zero
    private var plannedAt = Duration.zero
    private var wasLate = false

    /// Creates a countdown from a delay.
    init(_ delay: Duration) {
        remaining = delay
    }

    /// Begins the next slice, and returns its length.
    mutating func nextSlice(at now: Duration, atMost longest: Duration = Self.slice) -> Duration {
        plannedAt = now
        planned = max(.zero, min(remaining, longest, Self.slice))
        return planned
    }

    /// Ends the slice, and subtracts its time if it counts.
    mutating func advance(to now: Duration) {
        guard planned > .zero else { return }
        let elapsed = now - plannedAt
        let isLate = elapsed > planned + Self.tolerance
        if !isLate || wasLate { remaining = max(.zero, remaining - (isLate ? planned : elapsed)) }
        wasLate = isLate
        planned = .zero
    }
}
