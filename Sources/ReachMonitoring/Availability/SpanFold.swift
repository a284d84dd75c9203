/// Folds the events of a target in one run of the program into spans.
///
/// The target is unknown from the start of the run until its first verdict. No span begins before the end of the one
/// before it, so that times which a clock passes twice count once.
struct SpanFold {
    /// The spans that have ended, without maintenance. Health is tracked during maintenance too, since a verdict in it may
    /// date back to the time before.
    private var spans: [WatchedSpan] = []
    private var maintenance = MaintenanceFold()
    private let runStart: Duration
    private var start: Duration
    /// The times that the clock skipped when it was set forward, oldest first.
    private var gaps: [Range<Duration>] = []
    private var health = Health.unknown
    private var cause: String?
    private var commonCause: String?
    private var isPaused = false
    private var isBlocked = false
    private var isRemoved = false

    init(start: Duration) {
        (runStart, self.start) = (start, start)
    }

    private var state: WatchedSpan.State {
        if isRemoved { return .unwatched }
        return isPaused ? .paused : WatchedSpan.State(health, isBlocked: isBlocked)
    }

    /// The spans until a time.
    func spans(until time: Duration) -> [WatchedSpan] {
        var fold = self
        fold.close(at: time)
        fold.endMaintenance(at: time)
        return fold.spans.covered(byMaintenance: fold.maintenance.ended)
    }

    /// Ends the present span, unless the time is before its start.
    private mutating func close(at time: Duration) {
        guard time > start else { return }
        if let last = spans.indices.last, spans[last].state == state, spans[last].end == start {
            spans[last].end = time
            if state == .down { spans[last].commonCause = commonCause }
        } else {
            var span = WatchedSpan(state, from: start, until: time, because: state == .down ? cause : nil)
            if state == .down { span.commonCause = commonCause }
            spans.append(span)
        }
        start = time
    }

    private mutating func endMaintenance(at time: Duration) {
        maintenance.end(at: max(start, time))
    }

    mutating func apply(_ event: HistoryEvent) {
        switch event.kind {
        case .transition:
            close(at: event.since ?? event.time)
            health = event.to ?? .unknown
            if health == .down { (cause, commonCause) = (event.detail ?? event.reason, nil) }
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
            endMaintenance(at: event.time)
            (isRemoved, isPaused, isBlocked, health) = (true, false, false, .unknown)
        case .maintenance:
            if isRemoved { close(at: event.time) }
            isRemoved = false
            maintenance.begin(at: max(start, event.time))
        case .maintenanceEnded:
            endMaintenance(at: event.time)
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
        case .path where health == .down && event.reason != PathNews.changedName:
            let text = event.detail.map { $0.prefix { $0 != ";" } } ?? ""
            let end = text.dropFirst(text.hasPrefix("path ") ? 5 : 0)
            let known = cause ?? "timeout"
            // A verdict may have where the path ends.
            if !known.contains(end) { cause = "\(known), \(end)" }
        case .cause where health == .down:
            commonCause = event.detail
        case .acknowledged, .acknowledgementEnded, .address, .path, .traced, .cause, .commonCause, .shift, .hook,
            .flapping,
            .flappingEnded, .fault,
            .faultCleared:
            break
        }
    }

    /// Adds a time in which the program did not run. Returns its part after the present span; nil if there is none.
    @discardableResult
    private mutating func skip(from gap: Duration, until end: Duration) -> Range<Duration>? {
        close(at: gap)
        guard end > start else { return nil }
        defer { start = end }
        spans.append(WatchedSpan(.unwatched, from: start, until: end))
        return start..<end
    }

    /// Handles a clock that is set back. Spans that were recorded while it was wrong have future times. So the spans from
    /// the start of the run, or from the step forward that is corrected, are dropped.
    private mutating func setBack(to time: Duration) {
        if time <= runStart {
            (spans, gaps, start) = ([], [], time)
            maintenance.cut(at: time)
        } else if let gap = gaps.first(where: { time < $0.upperBound }) {
            gaps.removeAll { $0.lowerBound >= gap.lowerBound }
            spans.removeAll { $0.start >= gap.lowerBound }
            start = gap.lowerBound
            skip(from: start, until: time)
            maintenance.cut(at: time)
        }
    }
}

/// Folds the begins and ends of the maintenance of a target.
struct MaintenanceFold: Sendable {
    /// The maintenance that has ended, oldest first.
    private(set) var ended: [Range<Duration>] = []
    /// When the present maintenance began; nil without one.
    private var start: Duration?

    /// Begins maintenance, unless there is some.
    mutating func begin(at time: Duration) {
        start = start ?? time
    }

    /// Ends the present maintenance, if there is some.
    mutating func end(at time: Duration) {
        guard let start else { return }
        ended.append(start..<max(start, time))
        self.start = nil
    }

    /// Drops the maintenance after a time, from which the present one continues.
    mutating func cut(at time: Duration) {
        ended = ended.filter { $0.lowerBound < time }.map { $0.lowerBound..<min($0.upperBound, time) }
        start = start.map { min($0, time) }
    }
}

/// The spans of all targets in one run of the program, from its stored events.
///
/// It keeps spans and not events, so that the events of a large history are in memory one at a time.
package struct StoredSpans: Sendable {
    private let run: ProgramRun
    private var folds: [Int64: SpanFold] = [:]
    /// The events of the program, which count for each target, also for one whose first event is later.
    private var common: [HistoryEvent] = []

    package init(of run: ProgramRun) {
        self.run = run
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - event: an event after those that were added before.
    ///   - target: the number of the target in the file; nil for an event of the program.
    package mutating func add(_ event: HistoryEvent, of target: Int64?) {
        guard let target else {
            common.append(event)
            for id in folds.keys { folds[id]?.apply(event) }
            return
        }
        if folds[target] == nil { folds[target] = emptyFold() }
        folds[target]?.apply(event)
    }

    /// The fold of a target whose first event follows.
    private func emptyFold() -> SpanFold {
        var fold = SpanFold(start: run.start)
        for event in common { fold.apply(event) }
        return fold
    }

    /// The spans of each target that has events, until the end of the run.
    package var byTarget: [Int64: [WatchedSpan]] {
        folds.mapValues { $0.spans(until: run.end) }
    }
}

/// The times of the wall clock at which this run of the program has run: one range, or several where the clock was set.
package struct WallCoverage: Sendable, Hashable {
    /// The wall time of the program's start, by the clock of that time.
    package let programStart: Duration
    /// The ranges before the clock was last set, in ascending order, with a gap of a minute at least.
    private var earlier: [Range<Duration>] = []
    /// The wall time at which the clock was last set.
    private var start: Duration

    /// - Parameter start: the wall time of the program's start.
    package init(from start: Duration) {
        (programStart, self.start) = (start, start)
    }

    /// Notes that the clock was set.
    ///
    /// - Parameters:
    ///   - old: the wall time until then.
    ///   - new: the wall time from then on.
    package mutating func set(from old: Duration, to new: Duration) {
        earlier = ranges(until: old)
        start = new
    }

    /// The ranges until a wall time. Those with less than a minute between them are one.
    package func ranges(until end: Duration) -> [Range<Duration>] {
        let present = min(start, end)..<max(start, end)
        return (earlier + [present]).sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            guard let last = joined.last, range.lowerBound < last.upperBound + .seconds(60) else {
                return joined.append(range)
            }
            joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        }
    }
}
