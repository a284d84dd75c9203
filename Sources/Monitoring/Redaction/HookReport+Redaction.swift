extension HookReport {
    /// The report with secrets replaced in the output of commands and in the responses of servers.
    package func redacted(by redaction: Redaction) -> HookReport {
        guard case .finished(let run, let result) = self else { return self }
        return .finished(run, result.redacted(by: redaction))
    }
}

extension HookResult {
    fileprivate func redacted(by redaction: Redaction) -> HookResult {
        let status: Status =
            switch status {
            case .notStarted(let problem): .notStarted(redaction.text(problem))
            case .unanswered(let failure): .unanswered(failure.redacted(by: redaction))
            case .exited, .signalled, .timedOut, .cancelled, .answered: status
            }
        return HookResult(
            status: status,
            duration: duration,
            output: redaction.text(output),
            droppedBytes: droppedBytes,
            retryAfter: retryAfter
        )
    }
}
