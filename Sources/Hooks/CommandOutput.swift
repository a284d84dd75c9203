package import Monitoring

/// The whole output of a command that was run for it.
package struct CommandOutput: Sendable, Hashable {
    /// How the command ended.
    package let status: HookResult.Status
    /// Its standard output.
    package let bytes: [UInt8]
    /// The last line of its standard error; empty if there is none.
    package let lastError: String
    /// Whether the output was longer than the limit.
    package let isTooLong: Bool
}

extension HookCommand {
    /// Runs the command, and returns its standard output.
    ///
    /// After the timeout, and when the task is cancelled, the process group of the command gets SIGTERM, and SIGKILL a second
    /// later. Processes that it leaves behind are ended too. This returns after all its processes have ended.
    ///
    /// - Parameters:
    ///   - input: The standard input of the command.
    ///   - limit: The largest size of the output in bytes. A command that writes more is ended.
    package func output(
        input: String = "",
        limit: Int,
        timeout: Duration,
        ignoredSignals: Set<Int32> = []
    ) async -> CommandOutput {
        let job = Job(timeout: timeout, grace: .seconds(1), endsGroup: true)
        let running = Task { await job.run(self, input: input, limit: limit, ignoredSignals: ignoredSignals) }
        let (status, bytes, errors, isTooLong) = await withTaskCancellationHandler {
            await running.value
        } onCancel: {
            job.cancel(grace: .seconds(1))
        }
        return CommandOutput(
            status: job.cause ?? status,
            bytes: bytes,
            lastError: errors.text.split(whereSeparator: \.isNewline).last.map(String.init) ?? "",
            isTooLong: isTooLong
        )
    }
}
