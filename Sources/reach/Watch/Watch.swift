import ReachDashboard
import ReachHistory
import ReachHooks
import ReachMonitoring
import ReachReporting
import UnixSignals

/// The event loop of `reach watch`. It owns the roster.
struct Watch {
    private let controller: EngineController
    private let reporter: WatchReporter
    /// The file of the log, which a reload opens again; nil without `--log`.
    private let logFile: LogFile?
    private var roster = Roster(watchesSides: true)
    /// The problems of the servers of the fleet by name.
    private var serverProblems: [String: String] = [:]
    /// The edition of the roster that the metrics cover.
    private var edition = 0
    /// The metrics; nil without `--listen`.
    private var metrics: Metrics?
    /// How many series each target has; nil decides by the number of targets.
    private let detail: MetricsDetail?
    /// The figures of the program. The time of the settings is relative to its start.
    private var figures: ProgramFigures
    /// The requests of HTTP clients; nil without `--listen`.
    private let requests: HTTPRequestQueue?
    /// The HTTP requests that wait for the end of the reload.
    private var reloadRequests: [AsyncStream<HTTPRequestQueue.Answer>.Continuation] = []
    /// Probes by modules; nil without `--listen`.
    private let probes: ProbeEndpoint?
    private var serviceManager: ServiceManager?
    /// Yields when a cooldown that delays a hook ends, or maintenance begins or ends.
    let deadlines: AsyncStream<Void>
    private let deadline: AsyncStream<Void>.Continuation
    private var cooldownTimer: (time: Duration, task: Task<Void, Never>)?
    /// The process that runs the hooks.
    private var hookOwner: HookOwner
    /// The owner that was reported last.
    private var reportedHookOwner: HookOwner?
    /// Whether the settings may have hooks.
    private var hasHooks = false
    /// The exit status, once a signal has requested the exit.
    private var status: Int32?

    private var engine: Engine { controller.engine }
    private var source: TargetSource { controller.source }

    /// An input of the loop.
    enum Input: Sendable {
        /// An input that every loop has.
        case engine(EngineController.Input)
        /// A cooldown has ended, or the maintenance windows are to be evaluated.
        case deadline
        /// A signal was received.
        case signal(UnixSignal)
        /// HTTP requests are waiting for an answer.
        case requests
        /// The heartbeat for the service manager is due.
        case tick
        /// Standard output cannot be written any more; the value is `errno`.
        case outputFailed(Int32)
    }

    /// - Parameters:
    ///   - reporter: Writes the events.
    ///   - logFile: The file of the log.
    ///   - requests: The requests of HTTP clients; without it, there are no metrics.
    ///   - probes: Probes by modules, at the request of clients.
    ///   - detail: How many series each target has; by default by the number of targets.
    ///   - serviceManager: The service manager to notify.
    init(
        controller: EngineController,
        reporter: WatchReporter,
        logFile: LogFile? = nil,
        requests: HTTPRequestQueue? = nil,
        probes: ProbeEndpoint? = nil,
        detail: MetricsDetail? = nil,
        serviceManager: ServiceManager? = nil
    ) {
        self.controller = controller
        self.reporter = reporter
        self.logFile = logFile
        self.serviceManager = serviceManager
        self.requests = requests
        self.probes = probes
        metrics = requests == nil ? nil : Metrics()
        self.detail = detail
        figures = ProgramFigures(version: Reach.version, startTime: .zero)
        figures.revision = Reach.commit.map { String($0.prefix { $0 != " " }) }
        (deadlines, deadline) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        hookOwner = controller.engine.election?.first ?? .thisProcess
        roster.runsHooks = hookOwner.isThisProcess
        roster.findsCauses = true
        roster.findsShifts = true
    }

    /// The sources of the inputs that the loop itself has.
    var inputs: [InputSource<Input>] {
        controller.inputs { .engine($0) } + [
            InputSource(deadlines) { .deadline },
            InputSource(reporter.output.failures) { .outputFailed($0) },
        ]
    }

    /// Runs until a signal arrives or standard output fails. After a signal, it runs until all hooks have ended, so that
    /// their results are reported.
    ///
    /// - Returns: The exit status.
    mutating func run(_ inputs: some AsyncSequence<Input, Never>) async -> Int32 {
        serviceManager?.ready(roster)
        defer { serviceManager?.stopping() }
        for await input in inputs {
            switch input {
            case .engine(.reportsEnded):
                return status ?? 0
            case .engine(let input):
                await receive(input)
            case .deadline:
                cooldownTimer = nil
                guard status == nil else { break }
                await perform(roster.expire(at: engine.time.now))
                await perform(roster.updateMaintenance(at: engine.time.now, wall: engine.time.wall))
            case .outputFailed(let code):
                return reporter.status(afterOutputError: code)
            case .signal(.sighup) where status == nil:
                reload()
            case .signal(let signal) where signal.isEnding:
                await end(by: signal)
            case .signal:
                break
            case .requests:
                answerRequests()
            case .tick:
                serviceManager?.sendHeartbeat(roster)
            }
            scheduleCooldownTimer()
        }
        return status ?? 0
    }

    /// Handles an input that every loop has. After a signal, it handles only reports of hooks and messages.
    private mutating func receive(_ input: EngineController.Input) async {
        switch input {
        case .report(let report):
            roster.record(report)
            metrics?.record(report)
            reporter.report(report, of: roster)
        case .message(let message):
            reporter.printMessage(message.text)
        case _ where status != nil, .reportsEnded:
            break
        case .findings(let findings):
            metrics?.record(findings, of: roster)
            roster.noteWall(engine.time.wall)
            reporter.report(findings, of: roster)
            await perform(roster.record(findings))
        case .fleet(let update):
            await record(update)
        case .past(let past):
            roster.restorePaths(of: past)
            roster.restore(past.finishedHooks, wall: engine.time.wall, at: engine.time.now)
            roster.restore(past.lastSeen, wall: engine.time.wall, at: engine.time.now)
            roster.restore(past.levels, wall: engine.time.wall, at: engine.time.now)
            roster.restore(
                acknowledgements: past.acknowledgements,
                wall: engine.time.wall,
                at: engine.time.now
            )
            reporter.report(past, of: roster)
        case .hookOwner(let owner):
            hookOwner = owner
            roster.runsHooks = owner.isThisProcess
            reportHookOwner()
        case .sources:
            for (report, notice) in controller.sourceUpdates() { await apply(notice, of: report) }
        case .answer:
            if let answer = await controller.finishRequest() { await finishReload(answer) }
        case .reload:
            reload()
        }
    }

    /// Ends the hooks. A second signal kills them.
    private mutating func end(by signal: UnixSignal) async {
        if status == nil { serviceManager?.stopping() }
        status = status ?? 128 + signal.rawValue
        // The clients learn that the program is exiting.
        for request in reloadRequests { request.finish() }
        reloadRequests = []
        await controller.end()
    }

    /// Records an update of the fleet, and reports problems with its servers.
    private mutating func record(_ update: FleetUpdate) async {
        for server in update.servers where serverProblems[server.name] != server.problem {
            reporter.printMessage(server.summary, priority: server.problem == nil ? .info : .warning)
            serverProblems[server.name] = server.problem
        }
        await perform(roster.record(update, at: engine.time.now))
    }

    private mutating func perform(_ consequences: Consequences) async {
        if edition != roster.edition { updateMetrics() }
        reporter.report(consequences.observations.map { .observation($0) }, of: roster)
        metrics?.record(consequences.events)
        await engine.perform(consequences)
        report(consequences.events)
    }

    /// Reports events that the history has received. Their lines are written after its commit, so that every printed event
    /// is in the file.
    private func report(_ events: [RosterEvent]) {
        guard let history = engine.history, !events.isEmpty else { return reporter.report(events, of: roster) }
        let output = reporter.output
        let cork = output.cork()
        reporter.report(events, of: roster)
        history.afterCommit { output.uncork(cork) }
    }

    /// Schedules the timer for the end of the next cooldown that delays a hook.
    private mutating func scheduleCooldownTimer() {
        let next = status == nil ? roster.nextExpiry : nil
        guard next != cooldownTimer?.time else { return }
        cooldownTimer?.task.cancel()
        let now = engine.time.now
        cooldownTimer = next.map { time in
            let task = Task { [deadline] in
                try? await Task.sleep(for: max(Duration.zero, time - now), clock: .continuous)
                if !Task.isCancelled { deadline.yield() }
            }
            return (time, task)
        }
    }

    /// Begins to probe the targets of the settings at the start.
    mutating func start(_ settings: Settings) async {
        await controller.use(settings)
        await apply(settings)
    }

    /// Applies settings that were read and that the controller uses.
    private mutating func apply(_ settings: Settings) async {
        probes?.setModules(settings.modules)
        figures.hasModules = probes?.isEnabled ?? false
        for warning in settings.moduleWarnings { reporter.printMessage(warning, priority: .warning) }
        if settings.targets.isEmpty, settings.sources.isEmpty, settings.prometheus.isEmpty,
            settings.modules.isEmpty
        {
            let text =
                source.overrides.shard.map { "no target of \(source.name) belongs to shard \($0)" }
                ?? "no targets in \(source.name): nothing is probed until a reload (SIGHUP) finds some"
            reporter.printMessage(text, priority: source.overrides.shard == nil ? .warning : .info)
        }
        await probe(settings)
        // Reading the settings leaves free memory. The first probes are already in progress.
        Allocator.releaseFreeMemory()
    }

    /// Reports which process runs the hooks, if there are any.
    private mutating func reportHookOwner() {
        guard hasHooks else { return }
        if let text = hookOwner.message(after: reportedHookOwner), !reporter.isQuiet { reporter.printMessage(text) }
        reportedHookOwner = hookOwner
    }

    /// Probes the targets of settings.
    private mutating func probe(_ settings: Settings) async {
        var settings = settings
        // Without a screen, only statistics need a history; this keeps memory constant.
        settings.history = .zero
        let consequences = roster.apply(settings, at: engine.time.now)
        metrics?.setBuckets(settings.buckets)
        updateMetrics()
        metrics?.record(consequences.events)
        await engine.perform(consequences)
        report(consequences.events)
        hasHooks = settings.hasHooks
        reportHookOwner()
        // Before the first findings of new targets, whose hooks may have to wait.
        await perform(roster.updateMaintenance(at: engine.time.now, wall: engine.time.wall))
    }

    /// Reports the refresh of a source, and probes the targets of its new list.
    private mutating func apply(_ notice: SourceNotice, of report: SourceReport) async {
        let title = report.source.title
        if let problem = notice.problem {
            reporter.printMessage(redacted("\(title): \(problem)"), priority: .warning)
        } else if report.change.hasRecovered {
            reporter.printMessage(redacted("\(title): read again"))
        }
        guard let settings = notice.settings else { return }
        if let leftOut = notice.leftOut { reporter.printMessage(redacted("\(title): \(leftOut)"), priority: .warning) }
        if let changes = notice.changes { reporter.printMessage(redacted("\(title): \(changes)")) }
        await engine.prepare(for: settings)
        await probe(settings)
    }

    private func redacted(_ text: String) -> String {
        engine.redaction.current.text(text)
    }

    /// Updates the metrics to the current targets of the roster.
    private mutating func updateMetrics() {
        edition = roster.edition
        let redaction = engine.redaction.current
        metrics?.apply(roster, redaction: redaction)
    }

    /// Answers HTTP requests. Those for a reload wait for its end.
    private mutating func answerRequests() {
        guard let requests else { return }
        let reloads = requests.remove(.reload)
        if status != nil {
            for request in reloads { request.finish() }
        } else if !reloads.isEmpty {
            reloadRequests += reloads
            reload()
        }
        requests.answerAll { endpoint in
            switch endpoint {
            case .metrics: .metrics(exposition())
            case .targets:
                .targets(
                    TargetsRecord(roster.states, wall: engine.time.wall, redaction: engine.redaction.current)
                )
            case .health, .healthy, .reload: .alive
            }
        }
    }

    private func exposition() -> Exposition {
        let wall = engine.time.wall
        var figures = figures
        figures.startTime = wall.start
        figures.settingsTime += wall.start
        figures.measureProcess()
        figures.sources = controller.sourceFigures
        return (metrics ?? Metrics()).exposition(of: roster, program: figures, wall: wall, detail: detail)
    }

    /// Begins to read the settings again.
    private mutating func reload() {
        serviceManager?.reloading(at: ServiceManager.monotonicTime)
        logFile?.reopen { [reporter, engine] problem in
            reporter.printMessage(problem, priority: .error)
            engine.engineLog.log(problem: problem)
        }
        _ = controller.begin(.reread(nil))
    }

    /// Applies the settings that were read again, or reports why they were refused.
    private mutating func finishReload(_ answer: EngineController.RequestResult) async {
        var problems: [String] = []
        switch answer {
        case .success(.reread(_, let settings)):
            await apply(settings)
            figures.areSettingsValid = true
            figures.settingsTime = engine.time.now
            let count = settings.targets.count
            if count > 0 {
                reporter.printMessage("settings read again: \(count == 1 ? "1 target" : "\(count) targets")")
            }
        case .success:
            break
        case .failure(let error):
            problems = error.lines
            figures.areSettingsValid = false
            reporter.printMessage("\(Settings.refusal()):", priority: .error)
            problems.forEach { reporter.printMessage($0, priority: .error) }
        }
        // Requests that arrived during the reload wait for the next one.
        guard controller.waitingReload == nil else { return }
        serviceManager?.ready(roster)
        for request in reloadRequests { request.yield(.reloaded(problems: problems.map(redacted))) }
        reloadRequests = []
    }
}
