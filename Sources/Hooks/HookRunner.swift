public import Logging
public import Monitoring

/// Runs the user's commands, has requests sent, and owns both until they have ended: at most one per target and `limit`
/// overall.
///
/// What runs when is ``HookQueue``'s to decide; the runner does it, and ends what takes too long.
public actor HookRunner {
    /// What became of each run. A run that could not be started is `finished` without having been `started`.
    ///
    /// One consumer; it ends after ``quit(graceful:)``. It is not bounded: a run is told of twice, and runs come from
    /// transitions, never from probes.
    public nonisolated let reports: AsyncStream<HookReport>

    let logger: Logger
    let continuation: AsyncStream<HookReport>.Continuation
    let wall: @Sendable () -> WallTime
    let payload: @Sendable (HookRun) -> String
    let send: Send
    let now: @Sendable () -> Duration
    let isOnCellular: @Sendable (HookRun) async -> Bool
    /// What a command has left from TERM to KILL after its timeout.
    let killGrace: Duration
    /// The signals that commands ignore.
    let ignoredSignals: Set<Int32>
    var children: [HookRun.ID: Child] = [:]
    var quitting = Quitting.notYet
    /// Gets the reports from the beginning of quitting on.
    var lastListener: (@Sendable (HookReport) -> Void)?
    var queue: HookQueue
    private let backoff: Backoff
    private var generator: any RandomNumberGenerator & Sendable
    /// What waits for the pauses of retries to be over.
    private var pauses: [HookRun.ID: Task<Void, Never>] = [:]

    /// Sends the request of a run once, and says how that went. When its task is cancelled, it returns soon.
    public typealias Send = @Sendable (_ webhook: Webhook, _ run: HookRun) async -> HookResult

    /// A command or a request that was started, or is about to be.
    struct Child {
        /// Absent until a command is started, again when its leader is about to be reaped, and for a request.
        var group: ProcessGroup?
        /// Absent until a request is being sent, and for a command.
        var sending: Task<HookResult, Never>?
        /// Whether there was a process, or the request is being sent.
        var isStarted = false
        /// Why we are ending it, unless it ends by itself.
        var ending: Ending?
        /// Whether its group got KILL.
        var isKilled = false
        /// Whether its leader is reaped, or about to be.
        var isReaped = false
        /// What waits for its timeout and for the time of its KILL.
        var timers: [Task<Void, Never>] = []

        /// Whether the command has ended by itself. This process may have been stopped meanwhile and notice its timers
        /// first; the command's own end counts.
        var hasEnded: Bool {
            isReaped || group?.hasLeaderEnded == true
        }
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
    ///   - wall: the wall time of the program's start as the clock has it now, for the commands' environment. It is read
    ///     for each run: a clock may be set after the start.
    ///   - payload: the JSON object that a command finds on standard input.
    ///   - send: sends a request; without it, each fails.
    ///   - now: the time since the program's start.
    ///   - isOnCellular: whether a packet to the run's target would leave by a mobile network now.
    ///   - backoff: the pauses between the tries of a run.
    ///   - generator: draws the pauses.
    ///   - killGrace: what a command has left from TERM to KILL after its timeout.
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
                children[run.id] = Child()
                Task { await execute(run) }
            case .rest(let run):
                rest(run, atLeast: retryAfter)
            case .drop(let run, let reason):
                pauses.removeValue(forKey: run.id)?.cancel()
                tellDrop(of: run, because: reason)
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

    func tellDrop(of run: HookRun, because reason: HookDrop) {
        logger.dropped(run, reason)
        report(.dropped(run, reason))
    }

    func report(_ report: HookReport) {
        continuation.yield(report)
        lastListener?(report)
    }

    func dropWaiting() {
        perform(queue.quit())
    }

    func finishReports() {
        continuation.finish()
    }
}
