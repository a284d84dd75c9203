import Hooks
import Monitoring
import Reporting
import UnixSignals

/// The loop of `reach watch`: the roster's one owner, and what it tells.
struct Watch {
    private let engine: Engine
    private let source: TargetSource
    private let format: Format
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
    }

    /// How it tells what happened.
    enum Format: Sendable, Hashable {
        /// Transitions as lines of text on standard output, and all else on standard error.
        case text
        /// Events as JSON, one object per line, on standard output; messages besides on standard error.
        case json
    }

    /// - Parameters:
    ///   - isListening: whether clients may come to the desk.
    ///   - supervisor: what started the program and wants to know how it does.
    init(
        engine: Engine,
        source: TargetSource,
        format: Format,
        isListening: Bool = false,
        supervisor: Supervisor? = nil
    ) {
        self.engine = engine
        self.source = source
        self.format = format
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
                let consequences = roster.record(findings)
                metrics?.record(consequences.events)
                await engine.perform(consequences)
                guard tell(consequences.events) else { return 128 + UnixSignal.sigpipe.rawValue }
            case .report(let report):
                record(report)
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
        await engine.hooks.setLimit(settings.maxHooks)
        let consequences = roster.apply(settings, at: engine.time.now)
        metrics?.apply(roster)
        metrics?.record(consequences.events)
        await engine.perform(consequences)
        // Whether anybody reads it, the next event will find out.
        _ = tell(consequences.events)
    }

    private func answerClients() {
        desk.serve { question in
            switch question {
            case .metrics: .metrics((metrics ?? Metrics()).exposition(of: roster, version: Reach.version))
            case .targets: .targets(TargetsRecord(roster.standings))
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
            StandardStreams.complain("settings read again: \(settings.targets.count) targets")
        } catch {
            StandardStreams.complain("settings refused, the old ones keep running:")
            error.lines.forEach(StandardStreams.complain)
        }
    }

    /// Tells what happened; false when nobody reads it any more.
    private func tell(_ events: [RosterEvent]) -> Bool {
        let wall = engine.time.wall
        for event in events {
            let records =
                format == .json ? EventRecord.records(of: event, in: roster, at: engine.time.now, wall: wall) : []
            guard records.isEmpty else {
                for record in records {
                    guard StandardStreams.print(record.json) else { return false }
                }
                continue
            }
            switch event {
            case .transition(let id, let transition):
                guard let name = roster[id]?.target.label else { continue }
                guard StandardStreams.print(EventLine(transition, of: name, wall: wall).text) else { return false }
            case .fault(let id, let fault):
                complain(id, "cannot be asked: \(fault.summary)")
            case .faultCleared(let id):
                complain(id, "can be asked again")
            case .addressChanged(let id, let old, let new):
                complain(id, "has another address: \(new) (was \(old))")
            case .session(let id, let state, let time):
                complain(id, state.summary, at: time)
            case .blocked(let ids, let blocker, let time):
                for id in ids { complain(id, blocker.summary, at: time) }
            case .unblocked(let ids, let time):
                for id in ids { complain(id, RosterEvent.unblockedSummary, at: time) }
            case .flapping(let id, let isFlapping, let time):
                complain(id, RosterEvent.flappingSummary(isFlapping), at: time)
            case .stalled(let gap, let time):
                StandardStreams.complain(
                    EventLine(at: time, "reach", RosterEvent.stalledSummary(gap), wall: wall).text
                )
            case .hookSkipped(let id, let rule, let drop):
                complain(id, "hook \(rule.action) did not run: \(drop.summary)")
            case .armed(let id, let hook):
                complain(id, "hook \(hook.action) is armed")
            case .disarmed(_, let hook, let name, let drop):
                complain(name, "hook \(hook.action) did not run: \(drop.summary)")
            case .hooksMissing(let id):
                complain(id, "has no hooks")
            }
        }
        return true
    }

    private mutating func record(_ report: HookReport) {
        roster.record(report)
        metrics?.record(report)
        let words = "hook \(report.run.rule.action) \(report.summary)"
        switch report {
        case .started:
            break
        case .retrying(let run, _):
            complain(run.target, words)
        case .finished(let run, let result):
            complain(run.target, words)
            if !result.isSuccess, let line = result.output.split(whereSeparator: \.isNewline).last {
                complain(run.target, "hook said: \(line)")
            }
        case .dropped(let run, let drop):
            complain(run.target, "\(words): \(drop.summary)")
        }
    }

    private func complain(_ id: Target.ID, _ words: String, at time: Duration? = nil) {
        guard let name = roster[id]?.target.label else { return }
        complain(name, words, at: time)
    }

    private func complain(_ name: String, _ words: String, at time: Duration? = nil) {
        let time = time ?? engine.time.now
        StandardStreams.complain(EventLine(at: time, name, words, wall: engine.time.wall).text)
    }
}
