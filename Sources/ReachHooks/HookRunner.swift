public import Logging
public import ReachMonitoring

/// Runs the commands and sends the requests of hooks: at most one per target and `limit` overall. It owns them until
/// they end.
///
/// ``HookQueue`` decides when each run starts, and ``ProcessLifetime`` when it is ended.
public actor HookRunner {
    let logger: Logger
    private nonisolated let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private var buffer = ReportBuffer()
    private let wall: @Sendable () -> WallTime
    private let payload: @Sendable (HookRun) -> String
    private let send: Send
    private let now: @Sendable () -> Duration
    private let isOnCellular: @Sendable (HookRun) async -> Bool
    /// The time between SIGTERM and SIGKILL after a timeout.
    private let killGrace: Duration
    /// The signals that commands ignore.
    private let ignoredSignals: Set<Int32>
    /// The jobs in progress or about to be started.
    var jobs: [HookRun.ID: Job] = [:]
    var isQuitting = false
    /// Whether the reports have ended. Later ones are for the reporter of ``quit(graceful:report:)`` only.
    private var hasEnded = false
    /// Resumed when the last job has ended.
    var quitting: CheckedContinuation<Void, Never>?
    /// Receives the reports after quitting has begun.
    var quitReporter: (@Sendable (HookReport) -> Void)?
    var queue: HookQueue
    private let backoff: Backoff
    private var generator: any RandomNumberGenerator & Sendable
    /// The tasks that wait for the delays of retries.
    private var retryTasks: [HookRun.ID: Task<Void, Never>] = [:]

    /// Sends the request of a run once and returns the result. It must return soon after its task is cancelled.
    public typealias Send = @Sendable (_ webhook: Webhook, _ run: HookRun) async -> HookResult

    /// Creates an idle runner.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of concurrent runs over all targets.
    ///   - wall: Returns the wall time of the program's start by the current clock, for the environment of commands. It
    ///     is called for each run, since the clock may be set after the start.
    ///   - payload: Returns the JSON object for the standard input of a command.
    ///   - send: Sends a request. By default, all requests fail.
    ///   - now: Returns the time since the program's start.
    ///   - isOnCellular: Returns whether packets to the target of a run currently use a mobile network.
    ///   - backoff: The delays between the tries of a run.
    ///   - generator: The source of randomness for the delays.
    ///   - killGrace: The time between SIGTERM and SIGKILL after a timeout.
    ///   - ignoredSignals: The signals that commands ignore. The others have their default action.
    ///   - logger: The logger for debugging. By default, nothing is logged, since the terminal shows the screen.
    public init(
        limit: Int,
        wall: @escaping @Sendable () -> WallTime,
        payload: @escaping @Sendable (HookRun) -> String,
        send: @escaping Send = { _, _ in HookResult(status: .notStarted("cannot send requests"), duration: .zero) },
        now: @escaping @Sendable () -> Duration,
        isOnCellular: @escaping @Sendable (HookRun) async -> Bool = { _ in false },
        backoff: Backoff = Backoff(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        killGrace: Duration = .seconds(5),
        ignoredSignals: Set<Int32> = [],
        logger: Logger = Logger(label: "hooks") { _ in SwiftLogNoOpLogHandler() }
    ) {
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        queue = HookQueue(limit: limit)
        self.wall = wall
        self.payload = payload
        self.send = send
        self.now = now
        self.isOnCellular = isOnCellular
        self.backoff = backoff
        self.generator = generator
        self.killGrace = killGrace
        self.ignoredSignals = ignoredSignals
        self.logger = logger
    }

    /// The reports on all runs, for one consumer. A run that could not be started is `finished` without being `started`.
    ///
    /// While ``ReportBuffer/capacity`` reports wait, no run starts. Of the runs of a rule that do not start, only the
    /// newest is reported then.
    public nonisolated var reports: HookReports { HookReports(runner: self, arrivals: arrivals) }

    /// Removes and returns the oldest report that waits; nil if there is none.
    func nextReport() -> HookReport? {
        let wasFull = buffer.isFull
        defer { if wasFull, !buffer.isFull { perform(queue.setMayStart(true)) } }
        return buffer.removeFirst()
    }

    /// The number of commands and requests in progress.
    public var running: Int { jobs.count }

    /// Adds runs to the queue, in this order.
    public func submit(_ runs: [HookRun]) {
        for run in runs { perform(queue.enqueue(run)) }
    }

    /// Sets the maximum number of concurrent runs.
    public func setLimit(_ limit: Int) {
        perform(queue.setLimit(limit))
    }

    /// Drops the waiting runs of targets that were removed from the settings. Their runs in progress continue.
    public func remove(_ targets: Set<Target.ID>) {
        perform(queue.remove(targets))
    }

    /// Drops waiting runs for the opposite transition. For transitions with a submitted run, this is not needed.
    public func dropObsolete(of target: Target.ID, isReachable: Bool) {
        perform(queue.dropObsolete(of: target, isReachable: isReachable))
    }

    /// Performs the actions of the queue.
    ///
    /// - Parameter retryAfter: The minimum delay before a retry, from the server's `Retry-After`.
    func perform(_ actions: [HookQueue.Action], retryAfter: Duration = .zero) {
        for action in actions {
            switch action {
            case .start(let run):
                let job = Job(timeout: timeout(of: run), grace: killGrace)
                jobs[run.id] = job
                Task { await execute(run, as: job) }
            case .delayRetry(let run):
                delayRetry(run, atLeast: retryAfter)
            case .drop(let run, let reason):
                retryTasks.removeValue(forKey: run.id)?.cancel()
                reportDrop(of: run, because: reason)
            }
        }
    }

    /// Schedules a retry. Time in which the machine is suspended does not count toward the delay.
    private func delayRetry(_ run: HookRun, atLeast shortest: Duration) {
        var backoff = Backoff(base: backoff.base, cap: backoff.cap, tries: run.attempt - 2)
        let delay = backoff.pause(atLeast: shortest, using: &generator)
        report(.retrying(run, after: delay))
        retryTasks[run.id] = Task {
            try? await Task.sleep(for: delay, clock: .suspending)
            guard !Task.isCancelled else { return }
            retryTasks[run.id] = nil
            perform(queue.retryDelayElapsed(run))
        }
    }

    /// Returns the timeout of a run. A request gets slightly more: its sender applies the timeout too, and knows
    /// whether an answer had begun.
    private func timeout(of run: HookRun) -> Duration {
        if case .request = run.rule.action { run.rule.timeout + .milliseconds(250) } else { run.rule.timeout }
    }

    /// Runs the command or sends the request of a run, and reports the result.
    private func execute(_ run: HookRun, as job: Job) async {
        if !run.rule.allowsCellular, await isOnCellular(run) { return dropStarting(run, because: .cellular) }
        let start = now()
        let outcome = await result(of: run, as: job)
        let result = HookResult(
            status: job.cause ?? outcome.status,
            duration: now() - start,
            output: outcome.output,
            droppedBytes: outcome.droppedBytes,
            retryAfter: outcome.retryAfter
        )
        logger.finished(run, result)
        report(.finished(run, result))
        finish(
            run,
            isSuccess: result.isSuccess,
            isTransient: result.isTransient,
            retryAfter: result.retryAfter ?? .zero
        )
    }

    private func result(of run: HookRun, as job: Job) async -> HookResult {
        switch run.rule.action {
        case .command(let command):
            let (status, output) = await job.run(
                command,
                environment: run.environment(wall: wall()),
                input: payload(run) + "\n",
                ignoredSignals: ignoredSignals,
                onStart: { await self.reportStart(of: run, $0) }
            )
            return HookResult(
                status: status,
                duration: .zero,
                output: output.text,
                droppedBytes: output.droppedBytes
            )
        case .request(let webhook):
            return await job.run({ [send] in await send(webhook, run) }, onStart: { reportStart(of: run, nil) })
        }
    }

    /// Drops a run that was about to start.
    private func dropStarting(_ run: HookRun, because reason: HookDrop) {
        reportDrop(of: run, because: reason)
        finish(run, isSuccess: false, isTransient: false)
    }

    private func finish(_ run: HookRun, isSuccess: Bool, isTransient: Bool, retryAfter: Duration = .zero) {
        jobs[run.id] = nil
        perform(queue.finished(run, isSuccess: isSuccess, isTransient: isTransient), retryAfter: retryAfter)
        if jobs.isEmpty { finishQuitting() }
    }

    private func reportStart(of run: HookRun, _ group: ProcessGroup?) {
        logger.started(run, group)
        report(.started(run))
    }

    private func reportDrop(of run: HookRun, because reason: HookDrop) {
        logger.dropped(run, reason)
        report(.dropped(run, reason))
    }

    func report(_ report: HookReport) {
        if !hasEnded {
            buffer.append(report)
            if buffer.isFull { perform(queue.setMayStart(false)) }
            arrival.yield()
        }
        quitReporter?(report)
    }
}

extension HookRunner {
    /// Drops waiting runs and ends runs in progress: each process group gets SIGTERM, and SIGKILL after `graceful`.
    ///
    /// This returns when all runs have ended. A second call sends SIGKILL at once and does not wait.
    ///
    /// - Parameters:
    ///   - graceful: The time between SIGTERM and SIGKILL.
    ///   - report: Receives all further reports, in addition to ``reports``, which may have no consumer any more.
    public func quit(
        graceful: Duration = .seconds(5),
        report: (@Sendable (HookReport) -> Void)? = nil
    ) async {
        guard !isQuitting else { return kill() }
        isQuitting = true
        quitReporter = report
        perform(queue.quit())
        for job in jobs.values { job.cancel(grace: graceful) }
        guard !jobs.isEmpty else { return finishQuitting() }
        // Some processes cannot be killed: those that changed their user (EPERM), and those blocked in a broken device.
        let timeout = Task {
            try? await Task.sleep(for: graceful + ProcessLifetime.killTimeout, clock: .suspending)
            guard !Task.isCancelled else { return }
            logger.leftRunning(jobs.values.compactMap(\.group))
            for run in queue.running { self.report(.finished(run, HookResult(status: .cancelled, duration: .zero))) }
            finishQuitting()
        }
        await withCheckedContinuation { quitting = $0 }
        timeout.cancel()
    }

    /// Drops waiting runs and sends SIGKILL to every process group at once.
    public func kill() {
        isQuitting = true
        perform(queue.quit())
        for job in jobs.values { job.kill() }
        if jobs.isEmpty { finishQuitting() }
    }

    /// Ends the reports and resumes the caller of ``quit(graceful:report:)``, if the runner is quitting.
    func finishQuitting() {
        guard isQuitting else { return }
        hasEnded = true
        arrival.finish()
        quitting?.resume()
        quitting = nil
    }
}

/// The log messages of hook runs. A failed run is a warning; the others are for debugging, since the screen shows every run.
extension Logger {
    func started(_ run: HookRun, _ group: ProcessGroup?) {
        let process = group.map { ["pid": Logger.MetadataValue("\($0.leader)")] } ?? [:]
        info("hook started", metadata: run.metadata(process.merging(["action": "\(run.rule.action)"]) { $1 }))
    }

    func finished(_ run: HookRun, _ result: HookResult) {
        log(level: result.isSuccess ? .info : .warning, "hook \(result.summary)", metadata: run.metadata())
    }

    func dropped(_ run: HookRun, _ reason: HookDrop) {
        info("hook dropped: \(reason.summary)", metadata: run.metadata())
    }

    func leftRunning(_ groups: [ProcessGroup]) {
        let numbers = groups.map { String($0.leader) }.joined(separator: ", ")
        warning("hook processes still running after SIGKILL: process groups \(numbers)")
    }
}

extension HookRun {
    fileprivate func metadata(_ more: Logger.Metadata = [:]) -> Logger.Metadata {
        more.merging(["run": "\(id)", "target": "\(context.name)"]) { given, _ in given }
    }
}
