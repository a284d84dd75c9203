import ReachKit
import ReachMonitoring
import ReachReporting

/// The event loop of `reach check`: sends a fixed number of probes to each target, and judges the target by these alone.
struct Check {
    private var monitor: TimedMonitor
    private var lines: ProgressLines
    private var quota = ProbeQuota(0, of: [])
    /// The time between two probes of a target, by name of the target.
    private var retryIntervals: [String: Duration] = [:]
    private var pauses: ProbePauses
    /// The states of the targets after their last probe.
    private var results: [Target.ID: TargetState] = [:]

    /// - Parameter backoff: The limit of the time between two probes of a target, which doubles after each loss; nil for a
    ///   fixed time.
    init(_ monitor: TimedMonitor, lines: ProgressLines, backoff: Duration? = nil) {
        pauses = ProbePauses(longest: backoff)
        self.monitor = monitor
        self.lines = lines
    }

    /// Probes every target `count` times, one probe at a time, `retry_interval` apart.
    ///
    /// - Returns: The signal that ended it early; nil without one.
    mutating func run(_ targets: [Target], count: Int, _ inputs: some AsyncSequence<TimedMonitor.Input, Never>) async
        -> Int32?
    {
        let start = monitor.now
        monitor.start(targets.map { $0.configuredForCheck(count: count) })
        quota = ProbeQuota(count, of: monitor.states.map(\.id))
        retryIntervals = Dictionary(targets.map { ($0.name, $0.retryInterval) }) { first, _ in first }
        let hasRows = targets.contains { $0.addresses == .each }
        if quota.isMet { monitor.close() }

        var signal: Int32?
        for await input in inputs {
            switch input {
            case .events(let events):
                _ = monitor.record(events)
                // A resolved name with addresses = "each" becomes a target for each address.
                if hasRows { quota.update(to: monitor.states.map(\.id)) }
                let met = quota.record(events.compactMap(\.finding)) { observation in
                    let name = monitor.state(of: observation.target)?.target.name
                    return pauses.pause(after: observation, base: name.flatMap { retryIntervals[$0] } ?? .zero)
                }
                if !met.isEmpty { finish(met) }
                if quota.isMet { monitor.close() }
            case .tick(let now):
                let due = quota.due(at: now)
                if !due.isEmpty { monitor.probe(due) }
                lines.show(monitor.states.filter { quota.isPending($0.id) }, at: now - start, monitor.forScreen)
            case .end(let number):
                signal = signal ?? number
                monitor.close()
            case .closed:
                lines.erase()
                return signal
            }
        }
        return signal
    }

    /// The final states of the targets.
    var states: [TargetState] { monitor.states.map { results[$0.id] ?? $0 } }

    /// The wall time from which the times of the states are counted.
    var wall: WallTime { monitor.wall }

    private mutating func finish(_ ids: [Target.ID]) {
        for id in ids { results[id] = monitor.state(of: id) }
        monitor.stop(ids)
    }
}

extension Monitor.Event {
    /// The observation as a finding; nil for other events.
    fileprivate var finding: Finding? {
        if case .observation(let observation) = self { .observation(observation) } else { nil }
    }
}

extension Target {
    /// Returns the target with the thresholds of a check: up after one quick reply, down when all probes are lost, degraded
    /// when all replies are slow.
    fileprivate func configuredForCheck(count: Int) -> Target {
        var target = self
        (target.interval, target.retryInterval, target.downInterval) = (.unscheduled, .unscheduled, .unscheduled)
        (target.thresholds.rise, target.thresholds.fall, target.thresholds.slowStreak) = (1, count, 0)
        return target
    }
}

/// The remaining probes of each target and when they are due: a pure state machine for `check`.
struct ProbeQuota: Sendable {
    private let count: Int
    private var remaining: [Target.ID: Int] = [:]
    private var known: Set<Target.ID> = []
    private var queue = CalendarQueue<Target.ID>()

    /// Whether all probes of all targets have ended.
    var isMet: Bool { remaining.isEmpty }

    /// Creates a quota of `count` probes for each target.
    init(_ count: Int, of targets: [Target.ID]) {
        self.count = count
        update(to: targets)
    }

    /// Replaces the targets. New ones get the full quota.
    mutating func update(to targets: [Target.ID]) {
        let current = Set(targets)
        remaining = remaining.filter { current.contains($0.key) }
        for id in targets where known.insert(id).inserted { remaining[id] = count }
    }

    /// Whether a target has remaining probes.
    func isPending(_ id: Target.ID) -> Bool {
        remaining[id] != nil
    }

    /// Records ended probes; faults count as well.
    ///
    /// - Parameter pause: Returns the time from the end of a probe to the next probe of its target.
    /// - Returns: The targets whose last probe has ended.
    mutating func record(_ findings: [Finding], pause: (Observation) -> Duration) -> [Target.ID] {
        var met: [Target.ID] = []
        for case .observation(let observation) in findings {
            let id = observation.target
            guard let count = remaining[id] else { continue }
            if count > 1 {
                remaining[id] = count - 1
                queue.add(id, at: observation.time + pause(observation))
            } else {
                remaining[id] = nil
                met.append(id)
            }
        }
        return met
    }

    /// Removes and returns the targets whose next probe is due.
    mutating func due(at now: Duration) -> [Target.ID] {
        var due: [Target.ID] = []
        while let id = queue.take(at: now) {
            if isPending(id) { due.append(id) }
        }
        return due
    }
}
