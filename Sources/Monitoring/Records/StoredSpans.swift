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
