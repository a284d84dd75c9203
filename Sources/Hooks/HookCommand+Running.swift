public import Monitoring

extension HookCommand {
    /// Runs the command at once with empty standard input, and waits until it ends.
    ///
    /// When the task is cancelled, the process group of the command gets SIGTERM, and SIGKILL after a grace period.
    /// This returns after all processes of the group have ended.
    ///
    /// - Parameters:
    ///   - environment: Variables added to the inherited environment.
    ///   - killGrace: The time between SIGTERM and SIGKILL.
    ///   - ignoredSignals: The signals that the command ignores. The others have their default action.
    /// - Returns: The status, the duration and the beginning of the output.
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

    /// Runs a command that does nothing, so that swift-subprocess sets itself up.
    ///
    /// With its first child, the library opens descriptors and starts a thread for all children. If that fails, it
    /// never tries again. So this is called at the start of the program, while there are enough of both.
    public static func prepare() async {
        _ = await HookCommand.shell(":").run(environment: [])
    }
}
