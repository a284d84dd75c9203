import Monitoring

/// One run of a command that nobody queues, and its end.
actor CommandRun {
    /// How long KILL may take to have its effect.
    private static let patience = Duration.seconds(1)

    private let killGrace: Duration
    /// Absent until the command is started, and again before its leader is reaped.
    private var group: ProcessGroup?
    private var isEnding = false
    /// Whether it was ended by us: it had started, and had not ended by itself.
    private var isCancelled = false
    private var isKilled = false
    private var killing: Task<Void, Never>?

    init(killGrace: Duration) {
        self.killGrace = killGrace
    }

    /// Runs a command to its end.
    func result(
        of command: HookCommand,
        environment: [(name: String, value: String)],
        ignoredSignals: Set<Int32>
    ) async -> HookResult {
        let clock = ContinuousClock()
        let start = clock.now
        let process = HookProcess(
            command: command,
            environment: environment,
            input: "",
            ignoredSignals: ignoredSignals
        )
        // This task is never cancelled: a command is ended by its process group.
        let running = Task {
            await process.run(onStart: { await self.began(as: $0) }, beforeReaping: { await self.sweep() })
        }
        let (status, output) = await running.value
        killing?.cancel()
        return HookResult(
            status: isCancelled ? .cancelled : status,
            duration: clock.now - start,
            output: output.head,
            droppedBytes: 0
        )
    }

    /// Ends the command, unless it has ended by itself: TERM, and KILL to what is left after the grace.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        terminate()
        killing = Task {
            try? await Task.sleep(for: killGrace, clock: .suspending)
            guard !Task.isCancelled else { return }
            isKilled = true
            group?.end()
        }
    }

    private func began(as group: ProcessGroup) {
        self.group = group
        guard isEnding else { return }
        terminate()
        if isKilled { group.end() }
    }

    private func terminate() {
        // This process may have been stopped while the command ended: then its own end counts.
        guard let group, !group.hasLeaderEnded else { return }
        isCancelled = true
        group.terminate()
    }

    /// Waits for the processes that the leader left behind when it was ended, and ends those that a look at the members
    /// may have missed.
    private func sweep() async {
        if isCancelled, let group {
            await group.outlast(patience: Self.patience) { isKilled }
            group.end()
        }
        group = nil
    }
}
