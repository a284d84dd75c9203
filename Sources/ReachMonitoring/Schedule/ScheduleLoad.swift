/// Counts the probes of a lane that leave late or not at all, and decides whether the lane keeps its schedule.
///
/// A probe is late if it leaves more than half its interval after it was due, and at least 50 ms. A slot that
/// comes while the probe of an earlier one has not left is skipped. The lane misses its schedule if more than a tenth of
/// the probes of ten seconds are late or skipped.
package struct ScheduleLoad: Sendable, Hashable {
    /// The time over which probes are counted.
    package static let window = Duration.seconds(10)
    /// The number of due probes for a verdict. With fewer in ten seconds, the window is longer: a single late probe of a
    /// few is no overload.
    package static let minDue = 20
    /// The longest window. With fewer than ``minDue`` probes in it, the lane keeps its schedule.
    package static let maxWindow = Duration.seconds(60)
    /// The share of late and skipped probes above which the schedule is missed.
    package static let limit = 0.1
    /// The share at which the schedule is kept again. It is lower, so that the verdict does not alternate.
    package static let recovery = 0.05
    /// The shortest delay of a late probe, in nanoseconds. A tick may be ten milliseconds late.
    private static let minLateness: Int64 = 50_000_000

    /// The start of the window; nil before the first tick.
    private var start: Duration?
    private var due = 0
    private var late = 0
    private var skipped = 0
    private var isMissed = false
    /// The end of the last stall of the program. The slots before it are not counted.
    private var stallEnd = Duration.zero

    /// Creates the load of a lane without probes.
    package init() {}

    /// How long after its slot a probe is late, for an interval, in nanoseconds.
    static func lateness(for interval: Int64) -> Int64 {
        max(minLateness, interval / 2)
    }

    /// Counts a slot, and those that have passed since.
    ///
    /// - Returns: Whether the slot counts: it is not part of a stall.
    package mutating func record(_ slot: Schedule.DueSlot) -> Bool {
        guard slot.time >= stallEnd else { return false }
        due += 1 + slot.skipped
        skipped += slot.skipped
        return true
    }

    /// Counts a slot as late: its probe has left.
    package mutating func recordLate() { late += 1 }

    /// Counts a slot as skipped: it has no probe.
    package mutating func recordSkipped() { skipped += 1 }

    /// Excludes the slots before the end of a stall of the program, which is an event of its own.
    package mutating func recordStall(until end: Duration) { stallEnd = end }

    /// Ends the window if it is over. Call it at each tick.
    ///
    /// - Returns: The report about the window; nil while it lasts, and if all its probes left in time.
    package mutating func endWindow(at now: Duration) -> ScheduleReport? {
        guard let start else {
            start = now
            return nil
        }
        let length = now - start
        guard length >= Self.window, due >= Self.minDue || length >= Self.maxWindow else { return nil }
        return endWindow(startingNext: now)
    }

    /// Ends the window because the lane has no more targets.
    package mutating func end() -> ScheduleReport? {
        due = 0
        return endWindow(startingNext: nil)
    }

    private mutating func endWindow(startingNext next: Duration?) -> ScheduleReport? {
        // The probes of one window may leave in the next one.
        let share = due < Self.minDue ? 0 : min(1, Double(late + skipped) / Double(due))
        let wasMissed = isMissed
        isMissed = share > (wasMissed ? Self.recovery : Self.limit)
        defer { (start, due, late, skipped) = (next, 0, 0, 0) }
        guard isMissed || wasMissed || late + skipped > 0 else { return nil }
        return ScheduleReport(late: late, skipped: skipped, missedShare: isMissed ? share : nil)
    }
}
