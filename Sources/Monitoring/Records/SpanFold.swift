/// Folds the events of a target in one run of the program into spans.
///
/// The target is unknown from the start of the run until its first verdict. No span begins before the end of the one
/// before it, so that times which a clock passes twice count once.
struct SpanFold {
    /// The spans that have ended, without maintenance. The health goes on below it: a verdict during maintenance may date
    /// back to the time before.
    private var spans: [WatchedSpan] = []
    /// The maintenance that has ended, oldest first.
    private var maintenance: [Range<Duration>] = []
    /// When the present maintenance began; nil without one.
    private var maintenanceStart: Duration?
    private let runStart: Duration
    private var start: Duration
    /// The times that the clock skipped when it was set forward, oldest first.
    private var gaps: [Range<Duration>] = []
    private var health = Health.unknown
    private var cause: String?
    private var isPaused = false
    private var isBlocked = false
    private var isRemoved = false

    init(start: Duration) {
        (runStart, self.start) = (start, start)
    }

    private var state: WatchedSpan.State {
        if isRemoved { return .unwatched }
        if isPaused { return .paused }
        switch health {
        // A target that was down before its dependency stays down.
        case .down: return .down
        case .up: return isBlocked ? .blocked : .up
        case .degraded: return isBlocked ? .blocked : .degraded
        case .unknown: return isBlocked ? .blocked : .unknown
        }
    }

    /// The spans until a time.
    func spans(until time: Duration) -> [WatchedSpan] {
        var fold = self
        fold.close(at: time)
        fold.closeMaintenance(at: time)
        return fold.spans.covered(byMaintenance: fold.maintenance)
    }

    /// Ends the present span, unless the time is before its start.
    private mutating func close(at time: Duration) {
        guard time > start else { return }
        if let last = spans.indices.last, spans[last].state == state, spans[last].end == start {
            spans[last].end = time
        } else {
            spans.append(WatchedSpan(state, from: start, until: time, because: state == .down ? cause : nil))
        }
        start = time
    }

    /// Ends the present maintenance, if there is one.
    private mutating func closeMaintenance(at time: Duration) {
        guard let begin = maintenanceStart else { return }
        maintenance.append(begin..<max(begin, start, time))
        maintenanceStart = nil
    }

    mutating func apply(_ event: HistoryEvent) {
        switch event.kind {
        case .transition:
            close(at: event.since ?? event.time)
            health = event.to ?? .unknown
            if health == .down { cause = event.detail ?? event.reason }
            (isBlocked, isRemoved) = (false, false)
        case .paused:
            close(at: event.time)
            isPaused = true
        case .resumed:
            close(at: event.time)
            // What is still blocked has an event of its own.
            (isPaused, isBlocked) = (false, false)
        case .blocked:
            close(at: event.time)
            (isBlocked, isRemoved) = (true, false)
        case .unblocked:
            close(at: event.time)
            isBlocked = false
        case .added:
            isRemoved = true
            close(at: event.time)
            isRemoved = false
            // Its record begins now, and not with the run.
            if spans.allSatisfy({ $0.state == .unwatched }) { spans = [] }
        case .removed:
            close(at: event.time)
            closeMaintenance(at: event.time)
            (isRemoved, isPaused, isBlocked, health) = (true, false, false, .unknown)
        case .maintenance:
            if isRemoved { close(at: event.time) }
            isRemoved = false
            maintenanceStart = maintenanceStart ?? max(start, event.time)
        case .maintenanceEnded:
            closeMaintenance(at: event.time)
        case .stalled:
            skip(from: event.time - (event.length ?? .zero), until: event.time)
        case .clock:
            let step = event.length ?? .zero
            if step < .zero {
                close(at: event.time - step)
                setBack(to: event.time)
            } else if let gap = skip(from: event.time - step, until: event.time) {
                gaps.append(gap)
            }
        case .acknowledged, .acknowledgementEnded, .address, .hook, .flapping, .flappingEnded, .fault, .faultCleared:
            break
        }
    }

    /// A time that passed without the program. Returns its part after the present span; nil if there is none.
    @discardableResult
    private mutating func skip(from gap: Duration, until end: Duration) -> Range<Duration>? {
        close(at: gap)
        guard end > start else { return nil }
        defer { start = end }
        spans.append(WatchedSpan(.unwatched, from: start, until: end))
        return start..<end
    }

    /// The clock is set back. What was recorded while it was wrong is at times that are still to come, and would hide
    /// them: so the spans from the start of the run, or from the step forward that is corrected, are dropped.
    private mutating func setBack(to time: Duration) {
        if time <= runStart {
            (spans, gaps, start) = ([], [], time)
            cutMaintenance(at: time)
        } else if let gap = gaps.first(where: { time < $0.upperBound }) {
            gaps.removeAll { $0.lowerBound >= gap.lowerBound }
            spans.removeAll { $0.start >= gap.lowerBound }
            start = gap.lowerBound
            skip(from: start, until: time)
            cutMaintenance(at: time)
        }
    }

    /// Drops the maintenance after a time, after which the present one goes on.
    private mutating func cutMaintenance(at time: Duration) {
        maintenance = maintenance.filter { $0.lowerBound < time }.map { $0.lowerBound..<min($0.upperBound, time) }
        maintenanceStart = maintenanceStart.map { min($0, time) }
    }
}
