import Hooks
import Monitoring
import Reporting
import UnixSignals

/// The loop of `reach watch`: the roster's one owner, and what it tells.
struct Watch {
    private let engine: Engine
    private let source: TargetSource
    private let teller: WatchTeller
    private var roster = Roster()
    /// What is counted; nothing where nobody can ask for it.
    private var metrics: Metrics?
    /// Where clients of `--listen` wait; nobody does without.
    let desk = Desk()
    private var supervisor: Supervisor?

    /// What reaches the loop.
    enum Input: Sendable {
        /// Answers of the network.
        case findings([Finding])
        /// News of a hook run.
        case report(HookReport)
        /// A signal came.
        case signal(UnixSignal)
        /// Clients wait at the desk.
        case bell
        /// It is time to tell the service manager that the loop goes round.
        case tick
        /// Standard output takes no more, as `errno` has it.
        case outputEnded(Int32)
    }

    /// - Parameters:
    ///   - teller: tells what happens.
    ///   - isListening: whether clients may come to the desk.
    ///   - supervisor: what started the program and wants to know how it does.
    init(
        engine: Engine,
        source: TargetSource,
        teller: WatchTeller,
        isListening: Bool = false,
        supervisor: Supervisor? = nil
    ) {
        self.engine = engine
        self.source = source
        self.teller = teller
        self.supervisor = supervisor
        metrics = isListening ? Metrics() : nil
    }

    /// Runs until a signal ends it or nobody reads standard output any more.
    ///
    /// - Returns: The exit status.
    mutating func run(_ inputs: some AsyncSequence<Input, Never>) async -> Int32 {
        supervisor?.ready(roster)
        defer { supervisor?.stopping() }
        for await input in inputs {
            switch input {
            case .findings(let findings):
                metrics?.record(findings, of: roster)
                teller.tell(findings, of: roster)
                let consequences = roster.record(findings)
                metrics?.record(consequences.events)
                await engine.perform(consequences)
                teller.tell(consequences.events, of: roster)
            case .report(let report):
                roster.record(report)
                metrics?.record(report)
                teller.tell(report, of: roster)
            case .outputEnded(let code):
                return teller.status(ofOutputThatEnded: code)
            case .signal(.sighup):
                await reload()
            case .signal(let signal) where signal.isEnding:
                return 128 + signal.rawValue
            case .signal:
                break
            case .bell:
                answerClients()
            case .tick:
                supervisor?.pat(roster)
            }
        }
        return 0
    }

    /// Takes settings over.
    mutating func take(_ settings: Settings) async {
        engine.journal.note(settings, from: source.name)
        var settings = settings
        // Nobody looks further back than the figures do: memory is taken once, not for an hour.
        settings.history = .zero
        await engine.hooks.setLimit(settings.maxHooks)
        let consequences = roster.apply(settings, at: engine.time.now)
        let redaction = engine.redaction.current
        metrics?.apply(roster, redaction: redaction)
        metrics?.record(consequences.events)
        await engine.perform(consequences)
        teller.tell(consequences.events, of: roster)
        // What reading left over; the first probes are on their way meanwhile.
        Allocator.giveBack()
    }

    private func answerClients() {
        desk.serve { question in
            switch question {
            case .metrics:
                .metrics(
                    (metrics ?? Metrics()).exposition(of: roster, version: Reach.version, wall: engine.time.wall)
                )
            case .targets: .targets(TargetsRecord(roster.standings, redaction: engine.redaction.current))
            case .health: .alive
            }
        }
    }

    private mutating func reload() async {
        supervisor?.reloading(at: Supervisor.monotonicTime)
        defer { supervisor?.ready(roster) }
        do throws(TargetProblems) {
            let settings = try source.settings()
            await take(settings)
            let count = settings.targets.count
            teller.complain("settings read again: \(count == 1 ? "1 target" : "\(count) targets")")
        } catch {
            teller.complain("settings refused, the old ones keep running:")
            error.lines.forEach(teller.complain)
        }
    }
}
