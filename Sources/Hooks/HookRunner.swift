public import Logging
public import Monitoring

/// Runs the user's commands, has requests sent, and owns both until they have ended: at most one per target and `limit`
/// overall.
///
/// ``HookQueue`` decides what runs when, and ``ProcessLifetime`` what ends it.
public actor HookRunner {
    /// What became of each run. A run that could not be started is `finished` without having been `started`.
    ///
    /// One consumer; it ends after ``quit(graceful:)``. It is not bounded: a run is told of twice, and runs come from
    /// transitions, never from probes.
    public nonisolated let reports: AsyncStream<HookReport>

    let logger: Logger
    let continuation: AsyncStream<HookReport>.Continuation
    private let wall: @Sendable () -> WallTime
    private let payload: @Sendable (HookRun) -> String
    private let send: Send
    private let now: @Sendable () -> Duration
    private let isOnCellular: @Sendable (HookRun) async -> Bool
    /// How long a command has from TERM to KILL after its timeout.
    private let killGrace: Duration
    /// The signals that commands ignore.
    private let ignoredSignals: Set<Int32>
    /// What is running, or about to be started.
    var jobs: [HookRun.ID: Job] = [:]
    var isQuitting = false
    /// Waits for the last job to end.
    var quitting: CheckedContinuation<Void, Never>?
    /// Gets the reports from the beginning of quitting on.
    var lastListener: (@Sendable (HookReport) -> Void)?
    var queue: HookQueue
    private let backoff: Backoff
    private var generator: any RandomNumberGenerator & Sendable
    /// What waits for the pauses of retries to be over.
    private var pauses: [HookRun.ID: Task<Void, Never>] = [:]

    /// Sends the request of a run once, and says how that went. When its task is cancelled, it returns soon.
    public typealias Send = @Sendable (_ webhook: Webhook, _ run: HookRun) async -> HookResult

    /// A runner with nothing to do yet.
    ///
    /// - Parameters:
    ///   - limit: how many commands may run at the same time, over all targets.
    ///   - wall: the wall time of the program's start as the clock has it now, for the commands' environment. It is read
    ///     for each run: a clock may be set after the start.
    ///   - payload: the JSON object that a command finds on standard input.
    ///   - send: sends a request; without it, each fails.
    ///   - now: the time since the program's start.
    ///   - isOnCellular: whether a packet to the run's target would leave by a mobile network now.
    ///   - backoff: the pauses between the tries of a run.
    ///   - generator: draws the pauses.
    ///   - killGrace: how long a command has from TERM to KILL after its timeout.
    ///   - ignoredSignals: the signals that commands ignore; they find the others at their defaults.
    ///   - logger: for those who look for a mistake; silent unless given, since the terminal belongs to the screen.
    public init(
        limit: Int,
        wall: @escaping @Sendable () -> WallTime,
        payload: @escaping @Sendable (HookRun) -> String,
        send: @escaping Send = { _, _ in HookResult(status: .notStarted("nobody sends requests"), duration: .zero) },
        now: @escaping @Sendable () -> Duration,
        isOnCellular: @escaping @Sendable (HookRun) async -> Bool = { _ in false },
        backoff: Backoff = Backoff(),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        killGrace: Duration = .seconds(5),
        ignoredSignals: Set<Int32> = [],
        logger: Logger = Logger(label: "hooks") { _ in SwiftLogNoOpLogHandler() }
    ) {
        (reports, continuation) = AsyncStream.makeStream()
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

    /// How many commands and requests are running now.
    public var running: Int { jobs.count }

    /// Takes runs in, in this order.
    public func submit(_ runs: [HookRun]) {
        for run in runs { perform(queue.enqueue(run)) }
    }

    /// Allows another number of commands at the same time from now on.
    public func setLimit(_ limit: Int) {
        perform(queue.setLimit(limit))
    }

    /// Drops what waits for targets that the settings no longer have; what runs for them is left to end.
    public func remove(_ targets: Set<Target.ID>) {
        perform(queue.remove(targets))
    }

    /// Drops what waits for the opposite of this transition; a transition whose run is submitted says so by itself.
    public func noteTransition(of target: Target.ID, isReachable: Bool) {
        perform(queue.noteTransition(of: target, isReachable: isReachable))
    }

    /// Does what the queue says.
    ///
    /// - Parameter retryAfter: how long a server asks to be left alone before a request is sent again.
    func perform(_ actions: [HookQueue.Action], retryAfter: Duration = .zero) {
        for action in actions {
            switch action {
            case .start(let run):
                let job = Job(timeout: timeout(of: run), grace: killGrace)
                jobs[run.id] = job
                Task { await execute(run, as: job) }
            case .rest(let run):
                rest(run, atLeast: retryAfter)
            case .drop(let run, let reason):
                pauses.removeValue(forKey: run.id)?.cancel()
                reportDrop(of: run, because: reason)
            }
        }
    }

    /// Waits until a run may be tried again. A suspended machine does not wear the pause out.
    private func rest(_ run: HookRun, atLeast shortest: Duration) {
        var backoff = Backoff(base: backoff.base, cap: backoff.cap, tries: run.attempt - 2)
        let pause = backoff.pause(atLeast: shortest, using: &generator)
        report(.retrying(run, after: pause))
        pauses[run.id] = Task {
            try? await Task.sleep(for: pause, clock: .suspending)
            guard !Task.isCancelled else { return }
            pauses[run.id] = nil
            perform(queue.rested(run))
        }
    }

    /// How long a run may take. The sender of a request has the same timeout and knows whether an answer had begun, so it
    /// gets a little longer to return.
    private func timeout(of run: HookRun) -> Duration {
        if case .request = run.rule.action { run.rule.timeout + .milliseconds(250) } else { run.rule.timeout }
    }

    /// Runs the command or sends the request of a run, and reports the result.
    private func execute(_ run: HookRun, as job: Job) async {
        if !run.rule.allowsCellular, await isOnCellular(run) { return giveUp(run, because: .cellular) }
        let start = now()
        let ended = await result(of: run, as: job)
        let result = HookResult(
            status: job.cause ?? ended.status,
            duration: now() - start,
            output: ended.output,
            droppedBytes: ended.droppedBytes,
            retryAfter: ended.retryAfter
        )
        logger.finished(run, result)
        report(.finished(run, result))
        finish(run, isSuccess: result.isSuccess, mayPass: result.mayPass, retryAfter: result.retryAfter ?? .zero)
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

    /// Drops a run whose turn it was.
    private func giveUp(_ run: HookRun, because reason: HookDrop) {
        reportDrop(of: run, because: reason)
        finish(run, isSuccess: false, mayPass: false)
    }

    private func finish(_ run: HookRun, isSuccess: Bool, mayPass: Bool, retryAfter: Duration = .zero) {
        jobs[run.id] = nil
        perform(queue.finished(run, isSuccess: isSuccess, mayPass: mayPass), retryAfter: retryAfter)
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
        continuation.yield(report)
        lastListener?(report)
    }
}
