public import ReachMonitoring

/// The reports of a ``HookRunner``, in order, for one consumer. They end after ``HookRunner/quit(graceful:report:)``.
public struct HookReports: AsyncSequence, Sendable {
    /// The sequence never fails.
    public typealias Failure = Never

    let runner: HookRunner
    /// Yields after reports were added, and ends with the last one.
    let arrivals: AsyncStream<Void>

    /// Receives the reports.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let runner: HookRunner
        var arrivals: AsyncStream<Void>.Iterator

        /// Returns the next report; nil after the last one.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> HookReport? {
            while true {
                if let report = await runner.nextReport() { return report }
                guard await arrivals.next(isolation: actor) != nil else { return await runner.nextReport() }
            }
        }
    }

    /// Begins to receive the reports.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(runner: runner, arrivals: arrivals.makeAsyncIterator())
    }
}

/// The reports that wait for the consumer.
///
/// A run that has started ends, and its end is never dropped. So the runner starts no run while the buffer is full. Of the
/// runs of a rule for one event that do not start, a full buffer keeps the report on the newest. So it is bounded.
struct ReportBuffer: Sendable {
    private struct DropKey: Sendable, Hashable {
        let target: Target.ID
        let rule: HookRule
        let armed: ArmedHook?
        let event: HookEvent

        init(_ run: HookRun) {
            (target, rule, armed, event) = (run.target, run.rule, run.armed, run.context.event)
        }
    }

    /// The number of reports from which no run starts.
    static let capacity = 256

    /// The reports by their numbers, which ascend. The numbers of replaced reports are absent.
    private var reports: [Int: HookReport] = [:]
    private var first = 0
    private var end = 0
    /// The numbers of the reports on runs that did not start.
    private var drops: [DropKey: Int] = [:]

    /// Whether no run may start.
    var isFull: Bool { reports.count >= Self.capacity }

    /// Appends a report.
    mutating func append(_ report: HookReport) {
        if case .dropped(let run, _) = report {
            let before = drops.updateValue(end, forKey: DropKey(run))
            if isFull, let before { reports[before] = nil }
        }
        reports[end] = report
        end += 1
    }

    /// Removes and returns the oldest report; nil if there is none.
    mutating func removeFirst() -> HookReport? {
        while first < end {
            defer { first += 1 }
            guard let report = reports.removeValue(forKey: first) else { continue }
            if case .dropped(let run, _) = report, drops[DropKey(run)] == first { drops[DropKey(run)] = nil }
            return report
        }
        return nil
    }
}
