import AsyncAlgorithms
import Foundation
import Logging
import ReachHooks
import ReachKit
import ReachMonitoring
import ReachProbing
import ReachReporting

/// A monitor of ReachKit that `check` and `wait` run for a limited time. Hooks do not run, and `depends_on` blocks no target,
/// since the user has selected the targets to probe.
struct TimedMonitor {
    private let prober: Prober
    private let monitor: Monitor
    private let engineLog: EngineLog
    private let redaction: SharedRedaction
    private var reportedFaults: Set<Fault> = []
    /// Whether to omit messages about faults.
    private let isQuiet: Bool

    /// An input of the loop.
    enum Input: Sendable {
        /// Observations and transitions.
        case events([Monitor.Event])
        /// The time of a regular tick.
        case tick(Duration)
        /// A signal requests the exit.
        case end(signal: Int32)
        /// All sockets are closed and all commands have ended. This is the last input.
        case closed
    }

    init(isQuiet: Bool, redaction: SharedRedaction, log: (String) -> Logger) {
        (self.isQuiet, self.redaction) = (isQuiet, redaction)
        // Not in the prober, since the limit applies to the whole process.
        DescriptorLimit.raise()
        prober = Prober(
            logger: log("probing"),
            runCommand: { await $0.run(environment: $1, ignoredSignals: InitialProcessState.atStart.ignoredSignals) }
        )
        monitor = Monitor(unchecked: [], firstProbes: .atOnce, prober: prober)
        engineLog = EngineLog(log("targets"), redaction)
    }

    /// The time since the start; replies have times of the same clock.
    var now: Duration { monitor.time }

    /// The wall time from which these times are counted.
    var wall: WallTime { WallTime(start: .seconds(Date().timeIntervalSince1970) - now) }

    /// The states of all targets.
    var states: TargetStates { monitor.states }

    /// A text of a peer for the user's own screen, without secrets.
    func forScreen(_ text: String) -> String { redaction.forScreen.text(text) }

    /// The state of a target.
    func state(of id: Target.ID) -> TargetState? { monitor[id] }

    /// The input sources of the loop. ``Input/closed`` is the last input, so that no earlier signal is lost.
    func sources(_ signals: Signals) -> [InputSource<Input>] {
        let (monitor, prober) = (monitor, prober)
        let closed: @Sendable () async -> Input = {
            await prober.closed()
            return .closed
        }
        return [
            InputSource(monitor.events, last: closed) { .events($0) },
            InputSource(signals.endings()) { .end(signal: $0) },
            InputSource(AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending)) { _ in
                .tick(monitor.time)
            },
        ]
    }

    /// Starts probing targets: each at once, then at its own interval.
    func start(_ targets: [Target]) {
        monitor.update(
            unchecked: targets.map { target in
                var target = target
                target.dependsOn = []
                target.spread = 0
                return target
            }
        )
        engineLog.log(.watch(states.map { ProbeRequest.Assignment(id: $0.id, target: $0.target) }))
    }

    /// Reports new faults of a batch of events.
    ///
    /// - Returns: Whether the health of a target or the list of targets has changed.
    mutating func record(_ events: [Monitor.Event]) -> Bool {
        var hasChanged = false
        for event in events {
            switch event {
            case .transition, .addressChanged: hasChanged = true
            case .fault(let id, let fault):
                if let event = event.ofRoster(at: now) { engineLog.log(event) }
                report(fault, of: id)
            default: break
            }
        }
        return hasChanged
    }

    /// Probes targets once more, at once.
    func probe(_ ids: [Target.ID]) {
        engineLog.log(.now(ids))
        monitor.probe(ids)
    }

    /// Stops probing targets.
    func stop(_ ids: [Target.ID]) {
        engineLog.log(.forget(ids))
        monitor.pause(ids)
    }

    /// Closes all sockets. The inputs end after that.
    func close() {
        monitor.cancel()
    }

    /// Reports why a target cannot be probed, once for all targets with the same fault.
    private mutating func report(_ fault: Fault, of id: Target.ID) {
        guard !isQuiet, let name = monitor[id]?.target.label, reportedFaults.insert(fault).inserted else { return }
        let line = "\(name.printable) \(RosterEvent.faultSummary(fault.summary.printable))"
        StandardStreams.printMessage(line, priority: .warning)
    }
}

extension Monitor.Event {
    /// The event as one of a roster, as which it is logged and recorded; nil for one that is not.
    func ofRoster(at now: Duration) -> RosterEvent? {
        switch self {
        case .transition(let id, let transition): RosterEvent(.transition(transition), of: [id], at: transition.time)
        case .fault(let id, let fault): RosterEvent(.fault(fault), of: [id], at: now)
        case .faultCleared(let id): RosterEvent(.faultCleared, of: [id], at: now)
        case .addressChanged(let id, let old, let new):
            RosterEvent(.addressChanged(from: old, to: new), of: [id], at: now)
        case .session(let id, let state, let time): RosterEvent(.session(state), of: [id], at: time)
        case .flapping(let id, let isFlapping, let share, let time):
            RosterEvent(.flapping(isFlapping, share: share), of: [id], at: time)
        case .stalled(let gap, let time): RosterEvent(.stalled(gap), at: time)
        // Dependencies block no target here.
        case .observation, .blocked, .unblocked, .dropped: nil
        }
    }
}

/// The time between two probes of a target in `check` and `wait`. With `--backoff`, it doubles after each probe without a
/// reply, up to a limit, and a reply resets it.
struct ProbePauses: Sendable {
    /// The longest time; nil without `--backoff`.
    private let longest: Duration?
    /// The probes without a reply since the last one with a reply.
    private var losses: [Target.ID: Int] = [:]

    init(longest: Duration?) {
        self.longest = longest
    }

    /// Returns the time from a probe's end to the next probe of its target.
    ///
    /// - Parameter base: the time after a reply.
    mutating func pause(after observation: Observation, base: Duration) -> Duration {
        guard let longest else { return base }
        let id = observation.target
        if case .reply = observation.outcome {
            losses[id] = nil
            return base
        }
        defer { losses[id, default: 0] += 1 }
        return Backoff(base: base, cap: max(base, longest), tries: losses[id, default: 0]).limit
    }
}

extension Duration {
    /// An interval that never ends, for targets whose probes the caller schedules.
    static let unscheduled = Duration.seconds(365 * 86_400)
}
