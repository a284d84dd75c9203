import ArgumentParser
import ReachKit
import ReachMonitoring
import ReachReporting

/// The event loop of `reach wait`: probes targets until enough of them meet the condition.
struct Wait {
    /// The condition to wait for.
    struct Condition: Sendable, Hashable {
        /// The number of targets that must meet the condition at the same time; nil for all.
        var requiredCount: Int?
        /// Whether targets must be down, instead of up.
        var isNegated: Bool

        /// Whether a target with this health meets the condition. A target without a verdict does not.
        func isMet(by health: Health) -> Bool {
            isNegated ? health == .down : health.isReachable
        }

        /// Whether enough targets meet the condition.
        func isMet(by states: some Sequence<TargetState>) -> Bool {
            guard let requiredCount else { return states.allSatisfy { isMet(by: $0.health) } }
            return states.count { isMet(by: $0.health) } >= requiredCount
        }
    }

    /// Why the wait ended.
    enum ExitCause: Sendable, Hashable {
        /// The condition is met.
        case met
        /// The timeout of `--within` has passed.
        case timeout
        /// A signal was received.
        case signal(Int32)
        /// Standard output cannot be written, with this exit status.
        case unwritable(Int32)
    }

    private var monitor: TimedMonitor
    private var lines: ProgressLines
    private let reporter: WaitReporter
    private let condition: Condition
    /// The limit of the time between two probes of a target, which doubles after each loss; nil for a fixed interval.
    private let backoff: Duration?
    private var pauses: ProbePauses
    /// When targets are probed again, with a backoff.
    private var queue = CalendarQueue<Target.ID>()
    private var queued: Set<Target.ID> = []
    /// When the wait began.
    private var start = Duration.zero
    /// How long it took.
    private var length = Duration.zero

    init(
        _ monitor: TimedMonitor,
        lines: ProgressLines,
        reporter: WaitReporter,
        condition: Condition,
        backoff: Duration? = nil
    ) {
        self.backoff = backoff
        pauses = ProbePauses(longest: backoff)
        self.monitor = monitor
        self.lines = lines
        self.reporter = reporter
        self.condition = condition
    }

    /// Probes every target at once and then every `interval`, or with the backoff, until the condition is met.
    ///
    /// - Parameter limit: The timeout; nil for none.
    mutating func run(
        _ targets: [Target],
        every interval: Duration,
        within limit: Duration?,
        _ inputs: some AsyncSequence<TimedMonitor.Input, Never>
    ) async -> ExitCause {
        start = monitor.now
        defer { length = monitor.now - start }
        monitor.start(targets.map { $0.configuredForWait(interval: backoff == nil ? interval : .unscheduled) })
        var cause: ExitCause?
        for await input in inputs {
            switch input {
            case .events(let events):
                guard cause == nil else { continue }
                if backoff != nil { schedule(events, every: interval) }
                let hasChanged = monitor.record(events)
                do throws(ExitCode) {
                    try reporter.report(events, of: monitor)
                } catch {
                    cause = .unwritable(error.rawValue)
                    monitor.close()
                    continue
                }
                guard hasChanged, condition.isMet(by: monitor.states) else { continue }
                cause = .met
                monitor.close()
            case .tick(let now):
                guard cause == nil else { continue }
                if let limit, now - start >= limit {
                    cause = .timeout
                    monitor.close()
                } else {
                    probeDue(at: now)
                    lines.show(unmet, at: now - start, monitor.forScreen)
                }
            case .end(let number):
                // A signal counts even after the condition is met, since the command has not started yet.
                if case .unwritable = cause { continue }
                cause = .signal(number)
                monitor.close()
            case .closed:
                lines.erase()
                return cause ?? .timeout
            }
        }
        return cause ?? .timeout
    }

    /// Schedules the next probe of each target whose probe has ended.
    private mutating func schedule(_ events: [Monitor.Event], every interval: Duration) {
        for case .observation(let observation) in events where queued.insert(observation.target).inserted {
            let pause = pauses.pause(after: observation, base: interval)
            queue.add(observation.target, at: observation.time + pause)
        }
    }

    /// Probes the scheduled targets that are due.
    private mutating func probeDue(at now: Duration) {
        var due: [Target.ID] = []
        while let id = queue.take(at: now) { due.append(id) }
        queued.subtract(due)
        if !due.isEmpty { monitor.probe(due) }
    }

    /// The targets that do not meet the condition.
    private var unmet: [TargetState] {
        monitor.states.filter { !condition.isMet(by: $0.health) }
    }

    /// Whether a target that does not meet the condition can be probed.
    var isProbed: Bool { unmet.contains { $0.fault == nil } }

    /// Reports the states at the end of the wait.
    ///
    /// - Throws: The exit status after a write error.
    func reportStates() throws(ExitCode) {
        try reporter.report(monitor.states, wall: monitor.wall)
    }

    /// Returns the report for a CI system.
    ///
    /// - Parameter cause: Why the wait ended.
    func junit(after cause: ExitCause) -> JUnitReport {
        let redaction = reporter.redaction.current
        let results = monitor.states.map { state -> (TargetState, JUnitReport.Result) in
            if condition.isMet(by: state.health) { return (state, .met(after: max(.zero, state.since - start))) }
            if cause == .met { return (state, .notNeeded) }
            let remark = state.health.isReachable ? nil : state.remark.map(redaction.text) ?? "no reply yet"
            let signal = if case .signal(let number) = cause { "ended by signal \(number)" } else { String?.none }
            let problem = problem(of: [state]) + (remark.map { ": \($0)" } ?? "")
            return (state, .unmet(signal.map { "\(problem), \($0)" } ?? problem))
        }
        return JUnitReport(results, took: length, start: monitor.wall.timestamp(at: start), redaction: redaction)
    }

    /// How targets do not meet the condition.
    private func problem(of missing: [TargetState]) -> String {
        let isUp = missing.allSatisfy(\.health.isReachable)
        return !condition.isNegated ? "not up" : isUp ? "still up" : "not known to be down"
    }

    /// Returns the message after a timeout: the targets that do not meet the condition, with reasons.
    func timeoutMessage(after limit: Duration) -> String {
        let missing = unmet
        let names = missing.prefix(Self.maxNames).map { state in
            guard !condition.isNegated || !state.health.isReachable else { return state.target.label }
            return "\(state.target.label) (\(state.remark.map(monitor.forScreen) ?? "no reply yet"))"
        }
        let more = missing.count > names.count ? " and \(missing.count - names.count) more" : ""
        return "\(problem(of: missing)) after \(limit.limitText): \(names.joined(separator: ", "))\(more)".printable
    }

    private static let maxNames = 5
}

extension Target {
    /// Returns the target with the interval and thresholds of a wait: one reply is enough to be up again. The timeout of a
    /// probe and the losses needed to be down are unchanged.
    fileprivate func configuredForWait(interval: Duration) -> Target {
        var target = self
        (target.interval, target.retryInterval, target.downInterval) = (interval, interval, interval)
        target.thresholds.rise = 1
        return target
    }
}
