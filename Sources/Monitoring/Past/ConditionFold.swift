/// Folds the conditions of a target, in the order of their times, into spans since the start of the program.
struct ConditionFold {
    /// The spans that have ended, without maintenance, as in ``SpanFold``.
    private var spans: [WatchedSpan] = []
    /// The maintenance that has ended, oldest first.
    private var maintenance: [Range<Duration>] = []
    /// When the present maintenance began; nil without one.
    private var maintenanceStart: Duration?
    /// The span that has not ended.
    private var state: WatchedSpan.State?
    private var start = Duration.zero
    private var cause: String?
    /// The cause of the last time down, which goes on after a pause.
    private var lastCause: String?
    private var healthSince = Duration.zero

    /// Continues with a condition.
    mutating func apply(_ condition: Condition, at time: Duration) {
        if condition.isInMaintenance {
            maintenanceStart = maintenanceStart ?? time
        } else {
            closeMaintenance(at: time)
        }
        let new = condition.watchedState
        guard new != state else {
            // The health of a blocked target may change, and the state does not.
            healthSince = condition.healthSince
            return
        }
        // A health begins with its first probe, a pause or a block with its event.
        close(at: condition.healthSince == healthSince ? time : min(time, condition.healthSince))
        if state == nil { start = time }
        (state, healthSince) = (new, condition.healthSince)
        if new == .down { lastCause = condition.cause ?? lastCause }
        cause = new == .down ? lastCause : nil
    }

    private mutating func close(at time: Duration) {
        guard let state, time > start else { return }
        spans.append(WatchedSpan(state, from: start, until: time, because: cause))
        start = time
    }

    /// Ends the present maintenance, if there is one.
    private mutating func closeMaintenance(at time: Duration) {
        guard let begin = maintenanceStart else { return }
        maintenance.append(begin..<max(begin, time))
        maintenanceStart = nil
    }

    /// The spans until a time.
    ///
    /// - Parameter gaps: the times in which the program did not run, oldest first.
    func spans(until now: Duration, without gaps: [Range<Duration>]) -> [WatchedSpan] {
        var fold = self
        fold.close(at: now)
        fold.closeMaintenance(at: now)
        guard let first = fold.spans.first?.start else { return [] }
        let watched = gaps.reduce(into: fold.spans) { spans, gap in
            guard gap.upperBound > first, !gap.isEmpty else { return }
            var cut: [WatchedSpan] = []
            for span in spans {
                var (before, after) = (span, span)
                before.end = min(span.end, gap.lowerBound)
                after.start = max(span.start, gap.upperBound)
                if before.start < before.end { cut.append(before) }
                if span.start < gap.upperBound, span.end >= gap.upperBound {
                    cut.append(WatchedSpan(.unwatched, from: max(first, gap.lowerBound), until: gap.upperBound))
                }
                if after.start < after.end { cut.append(after) }
            }
            spans = cut
        }
        return watched.covered(byMaintenance: fold.maintenance)
    }
}
