/// Counts a delay down in slices, so that time in which the process was stopped or frozen counts for little.
///
/// A slice that took much longer than it should have is not counted: a command that was frozen together with this process
/// gets its time, and one that ended meanwhile is noticed before its time is up. Where every slice takes too long, on a
/// machine under heavy load, all but the first are counted.
struct Countdown: Sendable {
    /// The longest slice.
    static let slice = Duration.seconds(1)
    /// How late a timer may be on a busy machine.
    static let tolerance = Duration.milliseconds(500)

    private var left: Duration
    private var wasLate = false

    init(_ delay: Duration) {
        left = delay
    }

    /// How long to sleep next; nil when the delay is over.
    var next: Duration? {
        left > .zero ? min(left, Self.slice) : nil
    }

    /// Takes into account that the sleep took so long.
    mutating func record(_ elapsed: Duration) {
        guard let slice = next else { return }
        let isLate = elapsed > slice + Self.tolerance
        if !isLate || wasLate { left -= slice }
        wasLate = isLate
    }
}
