import ReachHistory
import ReachHooks
import ReachMonitoring
import ReachReporting
import UnixSignals

/// The event loop of `reach watch`. It owns the roster.
struct Watch {
    private let engine: Engine
    private let source: TargetSource
    private let refresher: SourceRefresher
    /// The settings that are in use, if they have sources of targets.
    private var settings = Settings(targets: [])
    private let reporter: WatchReporter
    /// The file of the log, which a reload opens again; nil without `--log`.
    private let logFile: LogFile?
    private var roster = Roster()
    /// The problems of the servers of the fleet by name.
    private var serverProblems: [String: String] = [:]
    /// The edition of the roster that the metrics cover.
    private var edition = 0
    /// The metrics; nil without `--listen`.
    private var metrics: Metrics?
    /// How many series each target has; nil decides by the number of targets.
    private let detail: MetricsDetail?
    /// The figures of the program. Its settings' time is one since the start.
    private var figures: ProgramFigures
    /// The requests of HTTP clients; nil without `--listen`.
    private let scrapes: ScrapeQueue?
    /// Probes by modules; nil without `--listen`.
    private let probes: ProbeEndpoint?
    private var supervisor: Supervisor?
    /// Yields when a cooldown that delays a hook ends, or maintenance begins or ends.
    let deadlines: AsyncStream<Void>
    private let deadline: AsyncStream<Void>.Continuation
    private var cooldownTimer: (time: Duration, task: Task<Void, Never>)?
    /// The process that runs the hooks.
    private var hookOwner: HookOwner
    /// The one that was reported last.
    private var reportedHookOwner: HookOwner?
    /// Whether the settings may have hooks.
    private var hasHooks = false
    /// The exit status, once a signal has requested the exit.
    private var status: Int32?

    /// An input of the loop.
    enum Input: Sendable {
        /// Results of probes.
        case findings([Finding])
        /// What was read about the targets of other programs.
        case fleet(FleetUpdate)
        /// A report of a hook run.
        case report(HookReport)
        /// All hooks have ended, and no more will start.
        case reportsEnded
        /// A cooldown has ended, or the maintenance windows are to be evaluated.
        case deadline
        /// A signal was received.
        case signal(UnixSignal)
        /// HTTP requests are waiting for an answer.
        case scrape
        /// The heartbeat for the service manager is due.
        case tick
        /// A message for standard error.
        case message(String)
        /// What the history says about the targets.
        case past(StoredPast)
        /// Another process runs the hooks from now on, or this one.
        case hookOwner(HookOwner)
        /// A source of targets was refreshed.
        case source(SourceReport)
        /// Standard output cannot be written any more; the value is `errno`.
        case outputFailed(Int32)
    }

    /// - Parameters:
    ///   - refresher: Refreshes the sources of the settings.
    ///   - reporter: Writes the events.
    ///   - logFile: The file of the log.
    ///   - scrapes: The requests of HTTP clients; without it, there are no metrics.
    ///   - probes: Probes by modules, at the request of clients.
    ///   - detail: How many series each target has; by default by the number of targets.
    ///   - supervisor: The service manager to notify.
    init(
        engine: Engine,
        source: TargetSource,
        refresher: SourceRefresher,
        reporter: WatchReporter,
        logFile: LogFile? = nil,
        scrapes: ScrapeQueue? = nil,
        probes: ProbeEndpoint? = nil,
        detail: MetricsDetail? = nil,
        supervisor: Supervisor? = nil
    ) {
        self.engine = engine
        self.source = source
        self.refresher = refresher
        self.reporter = reporter
        self.logFile = logFile
        self.supervisor = supervisor
        self.scrapes = scrapes
        self.probes = probes
        metrics = scrapes == nil ? nil : Metrics()
        self.detail = detail
        figures = ProgramFigures(version: Reach.version, startTime: .zero)
        figures.revision = Reach.commit.map { String($0.prefix { $0 != " " }) }
        (deadlines, deadline) = AsyncStream.makeStream()
        hookOwner = engine.election?.first ?? .thisProcess
        roster.runsHooks = hookOwner.isThisProcess
    }

    /// Runs until a signal arrives or standard output fails. After a signal, it runs until all hooks have ended, so that
    /// their results are reported.
    ///
    /// - Returns: The exit status.
    mutating func run(_ inputs: some AsyncSequence<Input, Never>) async -> Int32 {
        supervisor?.ready(roster)
        defer { supervisor?.stopping() }
        for await input in inputs {
            switch input {
            case .findings where status != nil:
                break
            case .findings(let findings):
                metrics?.record(findings, of: roster)
                reporter.report(findings, of: roster)
                await perform(roster.record(findings))
            case .fleet where status != nil:
                break
            case .fleet(let update):
                await record(update)
            case .report(let report):
                roster.record(report)
                metrics?.record(report)
                reporter.report(report, of: roster)
            case .reportsEnded:
                return status ?? 0
            case .deadline:
                cooldownTimer = nil
                await perform(roster.expire(at: engine.time.now))
                await perform(roster.updateMaintenance(at: engine.time.now, wall: engine.time.wall))
            case .message(let text):
                reporter.printMessage(text)
            case .past(let past):
                roster.restore(past.finishedHooks, wall: engine.time.wall, at: engine.time.now)
                roster.restore(past.lastSeen, wall: engine.time.wall, at: engine.time.now)
                reporter.report(past, of: roster)
            case .hookOwner(let owner):
                hookOwner = owner
                roster.runsHooks = owner.isThisProcess
                reportHookOwner()
            case .source(let report):
                await refreshed(report)
            case .outputFailed(let code):
                return reporter.status(afterOutputError: code)
            case .signal(let signal) where signal.isEnding && status != nil:
                await engine.hooks.kill()
            case .signal(.sighup):
                await reload()
            case .signal(let signal) where signal.isEnding:
                status = 128 + signal.rawValue
                supervisor?.stopping()
                Task { [engine] in await engine.endHooks() }
            case .signal:
                break
            case .scrape:
                await reloadForRequests()
                answerScrapes()
            case .tick:
                supervisor?.sendHeartbeat(roster)
            }
            scheduleCooldownTimer()
        }
        return status ?? 0
    }

    /// Records what was read about the fleet, and reports problems with its servers.
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

    /// Reports events whose consequences the history has got. Their lines are written after they are on disk, so that
    /// whatever was printed is in the file.
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

    /// Applies settings that were read from the settings file.
    ///
    /// - Parameter isReload: Whether all sources are refreshed at once.
    mutating func apply(_ settings: Settings, isReload: Bool = false) async {
        probes?.setModules(settings.modules)
        figures.hasModules = probes?.isEnabled ?? false
        for warning in settings.moduleWarnings { reporter.printMessage(warning, priority: .warning) }
        if settings.targets.isEmpty, settings.sources.isEmpty, settings.prometheus.isEmpty,
            settings.modules.isEmpty
        {
            let text =
                source.shard.map { "no target of \(source.name) belongs to shard \($0)" }
                ?? "no targets in \(source.name): nothing is probed until a reload (SIGHUP) finds some"
            reporter.printMessage(text, priority: source.shard == nil ? .warning : .info)
        }
        engine.engineLog.note(settings, from: source.name)
        engine.history?.apply(settings.stored)
        engine.election?.use(source.hookSet())
        await engine.hooks.setLimit(settings.maxHooks)
        await use(settings)
        refresher.use(settings.sources, isReload: isReload)
        engine.readFleet(of: settings)
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
    private mutating func use(_ settings: Settings) async {
        // Thousands of targets are kept twice only where they are needed.
        self.settings = settings.sources.isEmpty ? Settings(targets: []) : settings
        var settings = settings
        // Without a screen, no history beyond the statistics is needed, so that memory does not grow for an hour.
        settings.history = .zero
        await engine.prepare(for: settings)
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
    private mutating func refreshed(_ report: SourceReport) async {
        let title = report.source.title
        if let problem = report.problem {
            reporter.printMessage(redacted("\(title): \(problem)"), priority: .warning)
        } else if report.change.hasRecovered {
            reporter.printMessage(redacted("\(title): read again"))
        }
        guard report.change.hasNewList else { return }
        let before = settings.targets
        let (updated, leftOut) = source.updated(settings, with: [report.source])
        if let leftOut = leftOut[report.source] {
            reporter.printMessage(redacted("\(title): \(leftOut.summary)"), priority: .warning)
        }
        let difference = TargetDifference(before, updated.targets)
        if !difference.isEmpty { reporter.printMessage(redacted("\(title): \(difference.summary)")) }
        engine.redaction.update(updated)
        await use(updated)
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

    private func answerScrapes() {
        scrapes?.answerAll { endpoint in
            switch endpoint {
            case .metrics: .metrics(exposition())
            case .targets: .targets(TargetsRecord(roster.states, redaction: engine.redaction.current))
            // Requests for a reload were answered before.
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
        let redaction = engine.redaction.current
        figures.sources = source.lists.figures(of: settings.sources, wall: wall, redaction: redaction)
        return (metrics ?? Metrics()).exposition(of: roster, program: figures, wall: wall, detail: detail)
    }

    /// Reads the settings again if clients have asked for it.
    private mutating func reloadForRequests() async {
        guard let waiting = scrapes?.remove(.reload), !waiting.isEmpty else { return }
        let problems = await reload().map(redacted)
        for request in waiting { request.yield(.reloaded(problems: problems)) }
    }

    /// Reads the settings again. Returns the problems for which they were refused.
    @discardableResult private mutating func reload() async -> [String] {
        supervisor?.reloading(at: Supervisor.monotonicTime)
        defer { supervisor?.ready(roster) }
        do throws(StartupError) {
            try logFile?.reopen()
        } catch {
            error.lines.forEach { line in
                reporter.printMessage(line, priority: .error)
                engine.engineLog.note(problem: line)
            }
        }
        do throws(StartupError) {
            let settings = try source.settings()
            // A file that an editor has just emptied does not end the probing of everything.
            if settings.targets.isEmpty, !roster.states.isEmpty, let blank = source.blankFile {
                throw StartupError(lines: ["\(blank): the file is empty"])
            }
            engine.rereadFiles()
            await apply(settings, isReload: true)
            figures.areSettingsValid = true
            figures.settingsTime = engine.time.now
            let count = settings.targets.count
            if count > 0 {
                reporter.printMessage("settings read again: \(count == 1 ? "1 target" : "\(count) targets")")
            }
            return []
        } catch {
            figures.areSettingsValid = false
            engine.engineLog.noteRefusedSettings(error.lines)
            reporter.printMessage("\(Settings.refusal()):", priority: .error)
            error.lines.forEach { reporter.printMessage($0, priority: .error) }
            return error.lines
        }
    }
}
