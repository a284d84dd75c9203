import Foundation
import Logging
import ReachDashboard
import ReachFleet
import ReachHistory
import ReachHooks
import ReachKit
import ReachMonitoring
import ReachProbing
import ReachReporting
import UnixSignals

/// The prober and the hook runner of `dashboard` and `watch`.
struct Engine: Sendable {
    let time: ProgramTime
    let prober: ProbeEngine
    let hooks: HookRunner
    /// Traces the paths to the targets.
    let paths: PathService
    /// Reads the targets of other programs.
    let fleet: FleetReader
    private let fleetClient: FleetClient
    /// Sends silences to Alertmanager.
    let silences: SilenceSender
    /// Writes the history; nil if it is off.
    var history: HistoryWriter?
    /// Reads the history for the screen; nil if it is off.
    var reader: HistoryReader?
    /// Decides whether this process runs the hooks of its settings; nil if no other process could.
    var election: HookElection?
    private let transport: HTTPTransport
    let engineLog: EngineLog
    /// Removes the secrets of the settings from logs.
    let redaction: SharedRedaction

    /// Creates an engine without targets.
    init(time: ProgramTime, redaction: SharedRedaction, log: @Sendable (String) -> Logger) {
        self.time = time
        self.redaction = redaction
        engineLog = EngineLog(log("targets"), redaction)
        // Not in the prober, since the limit applies to the whole process and its children inherit it.
        DescriptorLimit.raise()
        prober = ProbeEngine(
            now: { time.now },
            logger: log("probing"),
            runCommand: { await $0.run(environment: $1, ignoredSignals: InitialProcessState.atStart.ignoredSignals) }
        )
        paths = PathService { time.now }
        let transport = HTTPTransport(
            now: { (time.wall.start + time.now).components.seconds },
            logger: log("fetching")
        )
        self.transport = transport
        let client = FleetClient(
            environment: ProcessInfo.processInfo.environment,
            redaction: redaction,
            now: { (time.wall.start + time.now).components.seconds },
            logger: log("fleet")
        )
        fleetClient = client
        silences = SilenceSender(client: client, time: time)
        fleet = FleetReader(
            send: { await client.send($0, to: $1) },
            now: { time.now },
            wall: { time.wall.start.inSeconds }
        )
        let payload: @Sendable (HookRun) -> String = { HookContextRecord($0.context, wall: time.wall).json }
        hooks = HookRunner(
            limit: 1,
            wall: { time.wall },
            payload: payload,
            send: { webhook, run in
                let filled = webhook.filled(with: run.environment(wall: time.wall), payload: payload(run))
                return await transport.send(filled, timeout: run.rule.timeout)
            },
            now: { time.now },
            isOnCellular: { $0.context.question.usesCellular(address: $0.context.address) },
            ignoredSignals: InitialProcessState.atStart.ignoredSignals,
            logger: log("hooks")
        )
    }

    /// Prepares for settings with commands, before other parts of the program open descriptors.
    func prepare(for settings: Settings) async {
        if settings.targets.contains(where: { $0.isCommand || $0.hasCommands }) { await HookCommand.prepare() }
    }

    /// Reads the fleet of these settings.
    func readFleet(of settings: Settings) {
        fleet.read(settings.prometheus, besides: Set(settings.targets.map(\.label)))
    }

    /// Performs the consequences of a change of the roster. Hook runs that a transition makes obsolete are dropped before
    /// new ones are queued.
    func perform(_ consequences: Consequences) async {
        if let history, consequences != Consequences() {
            history.record(consequences, at: time.now, wall: time.wall, redaction: redaction.current)
        }
        for request in consequences.requests {
            engineLog.log(request)
            prober.perform(request)
        }
        for order in consequences.paths { paths.perform(order) }
        engineLog.log(consequences)
        for event in consequences.events {
            guard case .transition(let transition) = event.kind else { continue }
            for id in event.targets { await hooks.dropObsolete(of: id, isReachable: transition.to.isReachable) }
        }
        if !consequences.removed.isEmpty { await hooks.remove(Set(consequences.removed)) }
        if !consequences.runs.isEmpty { await hooks.submit(consequences.runs) }
    }

    /// Records the names of targets in the history.
    func recordNames(of targets: [Target.ID: Target]) {
        guard let history, !targets.isEmpty else { return }
        var consequences = Consequences()
        consequences.requests = [.watch(targets.map { ProbeRequest.Assignment(id: $0.key, target: $0.value) })]
        history.record(consequences, at: time.now, wall: time.wall, redaction: redaction.current)
    }

    /// Records the results of probes in the history.
    func record(_ findings: [Finding]) {
        if let history { history.record(findings, wall: time.wall) }
    }

    /// The findings without the secrets of the settings, for the screen.
    func forScreen(_ findings: [Finding]) -> [Finding] {
        let redaction = redaction.forScreen
        return redaction == .none ? findings : findings.map { $0.redacted(by: redaction) }
    }

    /// The report without the secrets of the settings, for the screen.
    func forScreen(_ report: HookReport) -> HookReport {
        let redaction = redaction.forScreen
        return redaction == .none ? report : report.redacted(by: redaction)
    }

    /// Records a report of a hook run in the history.
    func record(_ report: HookReport) {
        history?.record(report, at: time.now, wall: time.wall, redaction: redaction.current)
    }

    /// Reads the state of the hooks if this process runs them from now on.
    func noteOwner(ofHooks owner: HookOwner) {
        if owner.isThisProcess { history?.readHooks() }
    }

    /// Ends all hook runs: TERM, then KILL after five seconds. Another process with the same settings runs the hooks that
    /// are due from now on.
    ///
    /// - Parameter report: Receives all further reports; without it, ``hooks`` reports them.
    func endHooks(report: (@Sendable (HookReport) -> Void)? = nil) async {
        election?.stop()
        let running = await hooks.running
        if running > 0 {
            let runs = running == 1 ? "1 hook run" : "\(running) hook runs"
            StandardStreams.printMessage("ending \(runs) – press Ctrl-C again to kill")
        }
        var reports = report
        if let report {
            reports = { hook in
                record(hook)
                report(hook)
            }
        }
        await hooks.quit(report: reports)
    }

    /// Ends all hook runs and closes all sockets. Another signal kills the hook runs at once.
    ///
    /// - Returns: Messages about data that the history lacks.
    @discardableResult
    func shutdown(report: (@Sendable (HookReport) -> Void)? = nil) async -> [String] {
        let signals = await Signals()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await endHooks(report: report) }
            group.addTask {
                for await signal in signals.sequence where signal.isEnding { await hooks.kill() }
            }
            await group.next()
            group.cancelAll()
        }
        fleet.stop()
        paths.shutdown()
        await fleetClient.shutdown()
        await transport.shutdown()
        await prober.shutdown()
        reader?.close()
        return await history?.close() ?? []
    }
}

extension Target {
    /// Whether the target is probed by a command (`exec:`).
    var isCommand: Bool {
        if case .exec = question { true } else { false }
    }

    /// Whether the target has a hook that runs a command.
    var hasCommands: Bool {
        hooks.contains { if case .command = $0.action { true } else { false } }
    }
}
