import AsyncAlgorithms
import Monitoring
import Probing
import Reporting
import UnixSignals

/// What `check` and `wait` have in common: the engine of the dashboard, asked for a while. No hooks run, and
/// `depends_on` holds nobody back, since whoever names a target wants it asked.
struct Asking {
    private let engine: Engine
    private(set) var roster = Roster()
    private var toldFaults: Set<Fault> = []
    /// Whether faults are told on standard error.
    private let isQuiet: Bool
    private var isClosing = false

    /// What reaches the loop.
    enum Input: Sendable {
        /// Answers of the network.
        case findings([Finding])
        /// Time went on.
        case tick(Duration)
        /// A signal asks the program to end.
        case end(signal: Int32)
        /// The engine is shut down, and nothing comes any more.
        case closed
    }

    init(engine: Engine, isQuiet: Bool) {
        self.engine = engine
        self.isQuiet = isQuiet
    }

    /// The time since the start of the program.
    var now: Duration { engine.time.now }

    /// All that reaches the loop, as one sequence. It goes on until the engine is shut down, so that no signal is lost.
    func inputs(_ signals: Signals) -> some AsyncSequence<Input, Never> & Sendable {
        let time = engine.time
        return merge(
            chain(engine.prober.findings.map(Input.findings), [Input.closed].async),
            signals.sequence
                .filter { $0.isEnding && !Inheritance.atStart.ignores($0.rawValue) }
                .map { Input.end(signal: $0.rawValue) },
            AsyncTimerSequence(interval: .milliseconds(100), clock: .suspending).map { _ in Input.tick(time.now) }
        )
    }

    /// Has targets asked, every one at once and from then on in its own interval.
    mutating func begin(_ targets: [Target]) {
        var settings = Settings(targets: targets, history: .zero)
        for index in settings.targets.indices {
            settings.targets[index].hooks = []
            settings.targets[index].dependsOn = []
            settings.targets[index].spread = 0
        }
        perform(roster.apply(settings, at: now).requests)
    }

    /// Takes answers into account.
    ///
    /// - Returns: Whether the health of any target has changed.
    mutating func record(_ findings: [Finding]) -> Bool {
        let consequences = roster.record(findings)
        perform(consequences.requests)
        var hasChanged = false
        for event in consequences.events {
            switch event {
            case .transition: hasChanged = true
            case .fault(let id, let fault): tell(fault, of: id)
            default: break
            }
        }
        return hasChanged
    }

    /// Has the prober do something.
    func perform(_ requests: [ProbeRequest]) {
        for request in requests {
            // First probes are staggered within a request. Who waits for all of them wants each at once.
            guard case .watch(let assignments) = request else {
                engine.perform(request)
                continue
            }
            for assignment in assignments { engine.perform(.watch([assignment])) }
        }
    }

    /// Closes every socket; then the inputs come to their end.
    mutating func close() {
        guard !isClosing else { return }
        isClosing = true
        let engine = engine
        Task { await engine.shutdown() }
    }

    /// Tells of what keeps us from asking, once for all targets that have it in common.
    private mutating func tell(_ fault: Fault, of id: Target.ID) {
        guard !isQuiet, let name = roster[id]?.target.label, toldFaults.insert(fault).inserted else { return }
        StandardStreams.complain("\(name.printable) cannot be asked: \(fault.summary.printable)")
    }
}
