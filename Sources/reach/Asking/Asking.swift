import AsyncAlgorithms
import Hooks
import Logging
import Monitoring
import Probing
import ReachKit
import Reporting
import UnixSignals

/// What `check` and `wait` have in common: a monitor of the library, asked for a while. No hooks run, and `depends_on` holds
/// nobody back, since whoever names a target wants it asked.
struct Asking {
    private let prober: Prober
    private let monitor: Monitor
    private let journal: Journal
    private var toldFaults: Set<Fault> = []
    /// Whether faults are told on standard error.
    private let isQuiet: Bool

    /// What reaches the loop.
    enum Input: Sendable {
        /// What the network has answered, and what follows from it.
        case events([Monitor.Event])
        /// Time went on.
        case tick(Duration)
        /// A signal asks the program to end.
        case end(signal: Int32)
        /// Every socket is closed, every command has ended, and nothing comes any more.
        case closed
    }

    init(isQuiet: Bool, redaction: SharedRedaction, log: (String) -> Logger) {
        self.isQuiet = isQuiet
        // Here and not in the prober: the limit is the whole process's.
        DescriptorLimit.raise()
        prober = Prober(
            logger: log("probing"),
            runCommand: { await $0.run(environment: $1, ignoredSignals: Inheritance.atStart.ignoredSignals) }
        )
        monitor = Monitor([], firstProbes: .atOnce, by: prober)
        journal = Journal(log("targets"), redaction)
    }

    /// The time since this began, by which answers are dated.
    var now: Duration { monitor.time }

    /// What is known of the targets.
    var standings: Standings { monitor.standings }

    /// What is known of a target.
    func standing(of id: Target.ID) -> Standing? { monitor[id] }

    /// The sources of the loop's inputs. The last input is ``Input/closed``, so that no signal is lost before.
    func sources(_ signals: Signals) -> [InputSource<Input>] {
        let (monitor, prober) = (monitor, prober)
        let closed: @Sendable () async -> Input = {
            await prober.closed()
            return .closed
        }
        return [
            InputSource(monitor.events, last: closed) { .events($0) },
            InputSource(signals.sequence) { signal in
                guard signal.isEnding, !Inheritance.atStart.ignores(signal.rawValue) else { return nil }
                return .end(signal: signal.rawValue)
            },
            InputSource(AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending)) { _ in
                .tick(monitor.time)
            },
        ]
    }

    /// Has targets asked, every one at once and from then on in its own interval.
    func begin(_ targets: [Target]) {
        monitor.update(
            targets.map { target in
                var target = target
                target.dependsOn = []
                target.spread = 0
                return target
            }
        )
        journal.note(.watch(standings.map { ProbeRequest.Assignment(id: $0.id, target: $0.target) }))
    }

    /// Takes what has happened into account.
    ///
    /// - Returns: Whether the health of any target has changed, or which targets there are.
    mutating func record(_ events: [Monitor.Event]) -> Bool {
        var hasChanged = false
        for event in events {
            switch event {
            case .transition, .addressChanged: hasChanged = true
            case .fault(let id, let fault): tell(fault, of: id)
            default: break
            }
        }
        return hasChanged
    }

    /// Asks targets once more, now.
    func probe(_ ids: [Target.ID]) {
        journal.note(.now(ids))
        monitor.probe(ids)
    }

    /// Asks targets no more.
    func leave(_ ids: [Target.ID]) {
        journal.note(.forget(ids))
        monitor.pause(ids)
    }

    /// Closes every socket; then the inputs come to their end.
    func close() {
        monitor.cancel()
    }

    /// Tells of what keeps us from asking, once for all targets that have it in common.
    private mutating func tell(_ fault: Fault, of id: Target.ID) {
        guard !isQuiet, let name = monitor[id]?.target.label, toldFaults.insert(fault).inserted else { return }
        StandardStreams.complain("\(name.printable) cannot be asked: \(fault.summary.printable)")
    }
}
