public import Logging
public import Monitoring

/// Runs the user's commands and owns them until they have ended: at most one per target and `limit` overall.
///
/// What runs when is ``HookQueue``'s to decide; the runner does it, and ends what takes too long.
public actor HookRunner {
    /// What became of each run. A run that could not be started is `finished` without having been `started`.
    ///
    /// One consumer; it ends after ``quit(graceful:)``. It is not bounded: a run is told of twice, and runs come from
    /// transitions, never from probes.
    public nonisolated let reports: AsyncStream<HookReport>

    let logger: Logger
    var children: [HookRun.ID: Child] = [:]
    var quitting = Quitting.notYet
    private let continuation: AsyncStream<HookReport>.Continuation
    private let wall: WallTime
    private let payload: @Sendable (HookRun) -> String
    private let now: @Sendable () -> Duration
    /// What a command has left from TERM to KILL after its timeout.
    private let killGrace: Duration
    private var queue: HookQueue

    /// A command that was started, or is about to be.
    struct Child {
        /// Absent until the command is started.
        var group: ProcessGroup?
        /// Why we are ending it, unless it ends by itself.
        var ending: Ending?
        /// Whether its group got KILL.
        var isKilled = false
        /// What waits for its timeout and for the time of its KILL.
        var timers: [Task<Void, Never>] = []
    }

    /// Why a command is ended by us.
    enum Ending {
        /// It took longer than its rule allows.
        case timedOut
        /// The program is quitting.
        case cancelled

        var status: HookResult.Status {
            switch self {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            }
        }
    }

    /// How far quitting has come.
    enum Quitting {
        /// Runs are taken in.
        case notYet
        /// Commands are being ended; these wait for the last one.
        case waiting([CheckedContinuation<Void, Never>])
        /// Nothing runs any more.
        case done
    }

    /// A runner with nothing to do yet.
    ///
    /// - Parameters:
    ///   - limit: how many commands may run at the same time, over all targets.
    ///   - wall: the wall time of the program's start, for the commands' environment.
    ///   - payload: the JSON object that a command finds on standard input.
    ///   - now: the time since the program's start.
    ///   - killGrace: what a command has left from TERM to KILL after its timeout.
    ///   - logger: for those who look for a mistake; silent unless given, since the terminal belongs to the screen.
    public init(
        limit: Int,
        wall: WallTime,
        payload: @escaping @Sendable (HookRun) -> String,
        now: @escaping @Sendable () -> Duration,
        killGrace: Duration = .seconds(5),
        logger: Logger = Logger(label: "hooks") { _ in SwiftLogNoOpLogHandler() }
    ) {
        (reports, continuation) = AsyncStream.makeStream()
        queue = HookQueue(limit: limit)
        self.wall = wall
        self.payload = payload
        self.now = now
        self.killGrace = killGrace
        self.logger = logger
    }

    /// How many commands are running now.
    public var running: Int { children.count }

    /// Takes runs in, in this order.
    public func submit(_ runs: [HookRun]) {
        for run in runs { perform(queue.enqueue(run)) }
    }

    /// Allows another number of commands at the same time from now on.
    public func setLimit(_ limit: Int) {
        perform(queue.setLimit(limit))
    }

    /// Drops what waits for the opposite of this transition; a transition whose run is submitted says so by itself.
    public func noteTransition(of target: Target.ID, isReachable: Bool) {
        perform(queue.noteTransition(of: target, isReachable: isReachable))
    }

    func perform(_ actions: [HookQueue.Action]) {
        for action in actions {
            switch action {
            case .start(let run):
                children[run.id] = Child()
                Task { await execute(run) }
            case .drop(let run, let reason):
                logger.dropped(run, reason)
                continuation.yield(.dropped(run, reason))
            }
        }
    }

    func dropWaiting() {
        perform(queue.quit())
    }

    func finishReports() {
        continuation.finish()
    }

    private func execute(_ run: HookRun) async {
        let start = now()
        let process = HookProcess(
            command: run.rule.command,
            environment: run.occasion.environment(wall: wall),
            input: payload(run) + "\n"
        )
        let (status, output) = await process.run(
            onStart: { await self.began(run, as: $0) },
            beforeClosing: {
                await self.outlast(run.id)
                await self.sweep(run.id)
            }
        )
        // Once more, since a command that closes its output may go on and be ended later.
        await outlast(run.id)

        let child = children.removeValue(forKey: run.id)
        child?.timers.forEach { $0.cancel() }
        let result = HookResult(
            status: child?.group == nil ? status : child?.ending?.status ?? status,
            duration: now() - start,
            output: output.text,
            droppedBytes: output.droppedBytes
        )
        logger.finished(run, result)
        continuation.yield(.finished(run, result))
        perform(queue.finished(run, isSuccess: result.isSuccess))
        if children.isEmpty { finishQuitting() }
    }

    private func began(_ run: HookRun, as group: ProcessGroup) {
        children[run.id]?.group = group
        logger.started(run, group)
        continuation.yield(.started(run))
        // Quitting may have come while the command was being started.
        if let child = children[run.id], child.ending != nil {
            if child.isKilled { group.end() } else { group.terminate() }
        }
        after(run.rule.timeout, of: run.id) { [killGrace] runner in
            runner.end(run.id, because: .timedOut, grace: killGrace)
        }
    }
}
