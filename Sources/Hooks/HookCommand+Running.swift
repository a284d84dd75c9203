public import Monitoring

extension HookCommand {
    /// Runs the command at once, with nothing on its standard input, and waits for its end.
    ///
    /// When the task is cancelled, the command's process group gets TERM, and KILL after a grace period; this returns when
    /// the command and all that it has started in its group have ended.
    ///
    /// - Parameters:
    ///   - environment: variables on top of our own.
    ///   - killGrace: how long the command has from TERM to KILL.
    ///   - ignoredSignals: the signals that the command ignores; it finds the others at their defaults.
    /// - Returns: How it ended, how long it took, and the beginning of what it wrote.
    public func run(
        environment: [(name: String, value: String)],
        killGrace: Duration = .seconds(1),
        ignoredSignals: Set<Int32> = []
    ) async -> HookResult {
        guard !Task.isCancelled else { return HookResult(status: .cancelled, duration: .zero) }
        let start = ContinuousClock.now
        let job = Job()
        let running = Task { await job.run(self, environment: environment, ignoredSignals: ignoredSignals) }
        let (status, output) = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            job.cancel(grace: killGrace)
        }
        return HookResult(status: job.cause ?? status, duration: .now - start, output: output.head)
    }

    /// Runs a command that does nothing, so that later ones can run.
    ///
    /// swift-subprocess opens what it needs for all of its children when it starts the first one. Where descriptors or
    /// threads are short then, it never tries again: this is done at the start, before there are many of either.
    public static func prepare() async {
        _ = await HookCommand.shell(":").run(environment: [])
    }
}
