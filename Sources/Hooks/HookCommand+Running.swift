public import Monitoring

extension HookCommand {
    /// Runs the command at once, with nothing on its standard input, and waits for its end.
    ///
    /// When the task is cancelled, the command's process group gets TERM, and KILL after a grace; this returns when
    /// the command and all that it has started in its group have ended.
    ///
    /// - Parameters:
    ///   - environment: variables on top of our own.
    ///   - killGrace: what the command has left from TERM to KILL.
    /// - Returns: How it ended, how long it took, and the beginning of what it wrote.
    public func run(
        environment: [(name: String, value: String)],
        killGrace: Duration = .seconds(1)
    ) async -> HookResult {
        guard !Task.isCancelled else { return HookResult(status: .cancelled, duration: .zero) }
        let run = CommandRun(killGrace: killGrace)
        return await withTaskCancellationHandler {
            await run.result(of: self, environment: environment)
        } onCancel: {
            Task { await run.end() }
        }
    }
}
