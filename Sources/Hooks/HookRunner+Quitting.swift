public import Monitoring

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
        continuation.finish()
        quitting?.resume()
        quitting = nil
    }
}
