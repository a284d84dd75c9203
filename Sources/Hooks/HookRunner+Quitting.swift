public import Monitoring

extension HookRunner {
    /// Drops what waits and ends what runs: TERM to each process group, KILL to what is left after `graceful`.
    /// Returns when all have ended. Called again, it sends KILL at once and does not wait.
    ///
    /// - Parameter report: gets the result of each run from now on, as ``reports`` does, which may have no consumer any more.
    public func quit(
        graceful: Duration = .seconds(5),
        report: (@Sendable (HookReport) -> Void)? = nil
    ) async {
        guard !isQuitting else { return kill() }
        isQuitting = true
        lastListener = report
        perform(queue.quit())
        for job in jobs.values { job.cancel(grace: graceful) }
        guard !jobs.isEmpty else { return finishQuitting() }
        // A command that became another user's cannot be ended by us (EPERM), and one inside a broken device not at all.
        let patience = Task {
            try? await Task.sleep(for: graceful + ProcessLifetime.patience, clock: .suspending)
            guard !Task.isCancelled else { return }
            logger.leftBehind(jobs.values.compactMap(\.group))
            for run in queue.running { self.report(.finished(run, HookResult(status: .cancelled, duration: .zero))) }
            finishQuitting()
        }
        await withCheckedContinuation { quitting = $0 }
        patience.cancel()
    }

    /// Drops what waits and sends KILL to every process group at once.
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
