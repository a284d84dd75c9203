import Dashboard
import Hooks
import Logging
import Monitoring
import Probing
import ReachKit
import Reporting
import UnixSignals

/// The prober and the hook runner, as `dashboard` and `watch` use them.
struct Engine: Sendable {
    let time: ProgramTime
    let prober: ProbeEngine
    let hooks: HookRunner
    private let transport: HTTPTransport
    let journal: Journal
    /// The secrets of the settings, which logs must not show.
    let redaction: SharedRedaction

    /// An engine without targets.
    init(time: ProgramTime, redaction: SharedRedaction, log: @Sendable (String) -> Logger) {
        self.time = time
        self.redaction = redaction
        journal = Journal(log("targets"), redaction)
        // Here and not in the prober: the limit is the whole process's, and its children inherit it.
        DescriptorLimit.raise()
        prober = ProbeEngine(
            now: { time.now },
            logger: log("probing"),
            runCommand: { await $0.run(environment: $1, ignoredSignals: Inheritance.atStart.ignoredSignals) }
        )
        let transport = HTTPTransport(
            now: { (time.wall.start + time.now).components.seconds },
            logger: log("fetching")
        )
        self.transport = transport
        let payload: @Sendable (HookRun) -> String = { OccasionRecord($0.occasion, wall: time.wall).json }
        hooks = HookRunner(
            limit: 1,
            wall: { time.wall },
            payload: payload,
            send: { webhook, run in
                let filled = webhook.filled(with: run.environment(wall: time.wall), payload: payload(run))
                return await transport.send(filled, timeout: run.rule.timeout)
            },
            now: { time.now },
            isOnCellular: { $0.occasion.question.leavesByCellular(address: $0.occasion.address) },
            ignoredSignals: Inheritance.atStart.ignoredSignals,
            logger: log("hooks")
        )
    }

    /// Prepares for settings that run commands, before anything takes descriptors.
    func prepare(for settings: Settings) async {
        if settings.targets.contains(where: { $0.isCommand || $0.hasCommands }) { await HookCommand.prepare() }
    }

    /// Performs the consequences of a change of the roster. Hooks that a transition makes obsolete are dropped before new
    /// ones are queued.
    func perform(_ consequences: Consequences) async {
        for request in consequences.requests {
            journal.note(request)
            prober.perform(request)
        }
        for case .transition(let id, let transition) in consequences.events {
            journal.note(transition, of: id)
            await hooks.noteTransition(of: id, isReachable: transition.to.isReachable)
        }
        if !consequences.removed.isEmpty { await hooks.remove(Set(consequences.removed)) }
        if !consequences.runs.isEmpty { await hooks.submit(consequences.runs) }
    }

    /// Reads the files again that targets name, since the settings were read again.
    func rereadFiles() {
        prober.rereadFiles()
    }

    /// Ends every hook: TERM, and KILL after five seconds.
    ///
    /// - Parameter report: receives all further reports; without it, ``hooks`` reports them.
    func endHooks(report: (@Sendable (HookReport) -> Void)? = nil) async {
        let running = await hooks.running
        if running > 0 {
            let what = running == 1 ? "a hook that runs" : "\(running) hooks that run"
            StandardStreams.complain("ending \(what); another Ctrl-C does not wait")
        }
        await hooks.quit(report: report)
    }

    /// Ends every hook and closes every socket. A signal that ends programs does not wait for that.
    func shutdown(report: (@Sendable (HookReport) -> Void)? = nil) async {
        let signals = await Signals()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await endHooks(report: report) }
            group.addTask {
                for await signal in signals.sequence where signal.isEnding { await hooks.kill() }
            }
            await group.next()
            group.cancelAll()
        }
        await transport.shutdown()
        await prober.shutdown()
    }
}
