public import Monitoring

extension HookRunner {
    /// Drops what waits and ends what runs: TERM to each process group, KILL to what is left after `graceful`.
    /// Returns when all have ended. Called again, it sends KILL at once and does not wait.
    ///
    /// - Parameter report: gets what becomes of each run from now on, as ``reports`` does, to which nothing may listen any
    ///   more.
    public func quit(
        graceful: Duration = .seconds(5),
        report: (@Sendable (HookReport) -> Void)? = nil
    ) async {
        guard case .notYet = quitting else { return kill() }
        quitting = .waiting([])
        lastListener = report
        dropWaiting()
        for id in children.keys { end(id, because: .cancelled, grace: graceful) }
        guard !children.isEmpty else { return finishQuitting() }
        // A command that became another user's cannot be ended by us (EPERM), and one inside a broken device not at all.
        let patience = Task {
            try? await Task.sleep(for: graceful + Self.patience, clock: .suspending)
            guard !Task.isCancelled else { return }
            logger.leftBehind(children.values.compactMap(\.group))
            for run in queue.running { self.report(.finished(run, HookResult(status: .cancelled, duration: .zero))) }
            finishQuitting()
        }
        await withCheckedContinuation { continuation in
            guard case .waiting(let others) = quitting else { return continuation.resume() }
            quitting = .waiting(others + [continuation])
        }
        patience.cancel()
    }

    /// Drops what waits and sends KILL to every process group at once.
    public func kill() {
        if case .notYet = quitting { quitting = .waiting([]) }
        dropWaiting()
        for id in children.keys {
            if children[id]?.ending == nil, children[id]?.hasEnded == false { children[id]?.ending = .cancelled }
            children[id]?.sending?.cancel()
            killGroup(of: id)
        }
        if children.isEmpty { finishQuitting() }
    }

    /// How long KILL may take to have its effect.
    private static let patience = Duration.seconds(1)

    /// Ends a command or a request, unless that has begun: then only the sooner KILL counts.
    func end(_ id: HookRun.ID, because ending: Ending, grace: Duration) {
        guard let child = children[id] else { return }
        if child.ending == nil {
            guard !child.hasEnded else { return }
            children[id]?.ending = ending
            child.group?.terminate()
            child.sending?.cancel()
        }
        after(grace, of: id) { $0.killGroup(of: id) }
    }

    /// Waits for the processes that the leader left behind when it was ended: they have the rest of the grace to tidy up.
    /// Then it ends those that a look at the members may have missed, such as one that was being forked.
    ///
    /// The leader is reaped after this, and no signal is sent to its group any more: the number may be another's.
    func sweep(_ id: HookRun.ID) async {
        if children[id]?.ending != nil, let group = children[id]?.group {
            await group.outlast(patience: Self.patience) { children[id]?.isKilled == true }
            group.end()
        }
        children[id]?.group = nil
        children[id]?.isReaped = true
    }

    /// Resumes who waits for the last command to end, if the runner is quitting.
    func finishQuitting() {
        guard case .waiting(let waiting) = quitting else { return }
        quitting = .done
        finishReports()
        for continuation in waiting { continuation.resume() }
    }

    /// Does something after a delay, unless the run has ended by then. Time in which this process, and perhaps the
    /// command with it, was stopped does not count, nor does time in which the machine was suspended.
    func after(
        _ delay: Duration,
        of id: HookRun.ID,
        _ body: @escaping @Sendable (isolated HookRunner) -> Void
    ) {
        let timer = Task {
            let clock = SuspendingClock()
            var countdown = Countdown(delay)
            while let slice = countdown.next {
                let start = clock.now
                try? await Task.sleep(for: slice, clock: clock)
                guard !Task.isCancelled else { return }
                countdown.record(clock.now - start)
            }
            body(self)
        }
        children[id]?.timers.append(timer)
    }

    private func killGroup(of id: HookRun.ID) {
        children[id]?.isKilled = true
        children[id]?.group?.end()
    }
}
