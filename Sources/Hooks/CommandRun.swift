import Monitoring

/// One run of a command that nobody queues, and its end.
actor CommandRun {
    /// How long KILL may take to have its effect.
    private static let patience = Duration.seconds(1)

    private let killGrace: Duration
    /// Absent until the command is started.
    private var group: ProcessGroup?
    private var isEnding = false
    private var isKilled = false
    private var killing: Task<Void, Never>?

    init(killGrace: Duration) {
        self.killGrace = killGrace
    }

    /// Runs a command to its end.
    func result(of command: HookCommand, environment: [(name: String, value: String)]) async -> HookResult {
        let clock = ContinuousClock()
        let start = clock.now
        let process = HookProcess(command: command, environment: environment, input: "")
        // Nobody cancels this task: a command is ended by its process group, not by the library's way.
        let running = Task {
            await process.run(onStart: { await self.began(as: $0) }, beforeClosing: { await self.sweep() })
        }
        let (status, output) = await running.value
        // Once more, since a command that closes its output may go on and be ended later.
        await outlast()
        killing?.cancel()
        return HookResult(
            status: isEnding && group != nil ? .cancelled : status,
            duration: clock.now - start,
            output: output.head,
            droppedBytes: 0
        )
    }

    /// Ends the command: TERM, and KILL to what is left after the grace.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        group?.terminate()
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
        if isKilled { group.end() } else { group.terminate() }
    }

    /// Waits for those whom the leader left behind when it was ended.
    private func outlast() async {
        guard isEnding, let group else { return }
        await group.outlast(patience: Self.patience) { isKilled }
    }

    /// The same while the leader's number is its own, and ends whom a look at the members may have missed.
    private func sweep() async {
        await outlast()
        if isEnding { group?.end() }
    }
}
