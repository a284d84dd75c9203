import Monitoring

extension HookRunner {
    /// Does what a run is for, from its start to its end.
    func execute(_ run: HookRun) async {
        if !run.rule.allowsCellular, await isOnCellular(run) { return giveUp(run, because: .cellular) }
        let start = now()
        let ended =
            switch run.rule.action {
            case .command(let command): await execute(command, of: run)
            case .request(let webhook): await send(webhook, of: run)
            }
        let child = children.removeValue(forKey: run.id)
        child?.timers.forEach { $0.cancel() }
        let result = HookResult(
            status: child?.isStarted == true ? child?.ending?.status ?? ended.status : ended.status,
            duration: now() - start,
            output: ended.output,
            droppedBytes: ended.droppedBytes,
            retryAfter: ended.retryAfter
        )
        logger.finished(run, result)
        report(.finished(run, result))
        perform(
            queue.finished(run, isSuccess: result.isSuccess, mayPass: result.mayPass),
            retryAfter: result.retryAfter ?? .zero
        )
        if children.isEmpty { finishQuitting() }
    }

    /// Drops a run whose turn it was.
    private func giveUp(_ run: HookRun, because reason: HookDrop) {
        children[run.id] = nil
        tellDrop(of: run, because: reason)
        perform(queue.finished(run, isSuccess: false, mayPass: false))
        if children.isEmpty { finishQuitting() }
    }

    private func execute(_ command: HookCommand, of run: HookRun) async -> HookResult {
        // Quitting may have come first; then nothing is started.
        guard children[run.id]?.ending == nil else { return HookResult(status: .cancelled, duration: .zero) }
        let process = HookProcess(
            command: command,
            environment: run.environment(wall: wall()),
            input: payload(run) + "\n",
            ignoredSignals: ignoredSignals
        )
        let (status, output) = await process.run(
            onStart: { await self.began(run, as: $0) },
            beforeReaping: { await self.sweep(run.id) }
        )
        return HookResult(status: status, duration: .zero, output: output.text, droppedBytes: output.droppedBytes)
    }

    private func send(_ webhook: Webhook, of run: HookRun) async -> HookResult {
        // Quitting may have come first; then nobody is told anything.
        guard children[run.id]?.ending == nil else { return HookResult(status: .cancelled, duration: .zero) }
        let sending = Task { [send] in await send(webhook, run) }
        children[run.id]?.sending = sending
        children[run.id]?.isStarted = true
        tellStart(of: run)
        return await sending.value
    }

    func began(_ run: HookRun, as group: ProcessGroup) {
        children[run.id]?.group = group
        children[run.id]?.isStarted = true
        tellStart(of: run)
        // Quitting may have come while the command was being started.
        if let child = children[run.id], child.ending != nil {
            if child.isKilled { group.end() } else { group.terminate() }
        }
    }

    private func tellStart(of run: HookRun) {
        logger.started(run, children[run.id]?.group)
        report(.started(run))
        // Who sends keeps to the time, and knows whether an answer had begun; this is for one who does not.
        let slack = children[run.id]?.sending == nil ? Duration.zero : .milliseconds(250)
        after(run.rule.timeout + slack, of: run.id) { [killGrace] runner in
            runner.end(run.id, because: .timedOut, grace: killGrace)
        }
    }
}
