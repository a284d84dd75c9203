extension Roster {
    /// Records how a lane keeps its schedule. The first lane that does not is an event, and so is the end.
    mutating func record(
        _ report: ScheduleReport,
        of lane: Int,
        at now: Duration,
        into consequences: inout Consequences
    ) {
        let before = schedule.missedShare
        schedule.record(report, of: lane)
        switch (before, schedule.missedShare) {
        case (nil, let share?): consequences.events.append(.scheduleMissed(share: share, at: now))
        case (_?, nil): consequences.events.append(.scheduleKept(at: now))
        default: break
        }
    }
}
