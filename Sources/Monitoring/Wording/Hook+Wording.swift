extension HookDrop {
    /// Why the run was dropped, as part of a sentence.
    public var summary: String {
        switch self {
        case .coolingDown(let left): "cooling down for another \(left.spanText)"
        case .expired(let within): "not reachable within \(within.settingsText)"
        case .tooShort(let outage, let minDown):
            "down for \(outage.elapsedText), less than min_down \(minDown.settingsText)"
        case .acknowledged: "the target is acknowledged"
        case .cellular: "the route is a mobile network"
        case .obsolete: "obsolete: the target changed again while it waited"
        case .alreadyQueued: "already queued"
        case .quitting: "the program is quitting"
        case .alreadySucceeded: "runs once and has succeeded"
        case .disarmed: "disarmed"
        case .targetGone: "target removed from the settings"
        }
    }
}

extension HookResult {
    /// How the run ended, as the rest of a sentence: `exited 0 in 1.2s`.
    public var summary: String {
        let took = "in \(duration.elapsedText)"
        return switch status {
        case .exited(let code): "exited \(code) \(took)"
        case .signalled(let signal): "was killed by signal \(signal) \(took)"
        case .timedOut: "timed out after \(duration.elapsedText)"
        case .cancelled: "was cancelled after \(duration.elapsedText)"
        case .notStarted(let reason): "did not start: \(reason)"
        case .answered(let status): "was answered with HTTP \(status) \(took)"
        case .unanswered(let failure): "was not answered: \(failure.detail)"
        }
    }

    /// Whether a text begins as a ``summary`` does.
    static func isSummary(_ text: some StringProtocol) -> Bool {
        [
            "exited ", "was killed by ", "timed out ", "was cancelled ", "did not start: ", "was answered ",
            "was not answered: ",
        ]
        .contains { text.hasPrefix($0) }
    }
}

extension HookReport {
    /// The progress of the run, as the rest of a sentence that begins with the hook: `exited 0 in 1.2s`.
    public var summary: String {
        switch self {
        case .started(let run): run.attempt == 1 ? "started" : "started, \(run.attemptText)"
        case .finished(let run, let result):
            run.attempt == 1 ? result.summary : "\(result.summary), \(run.attemptText)"
        case .retrying(let run, let pause): "is retried in \(pause.elapsedText), \(run.attemptText)"
        case .dropped(let run, _): run.attempt == 1 ? "did not run" : "is not retried"
        }
    }
}

extension HookAction {
    /// Whether the detail of a stored hook run is about this action.
    ///
    /// - Parameter text: the description of the action without secrets.
    package static func isAction(_ text: String, of detail: String) -> Bool {
        detail.hasPrefix(text + " ") && HookResult.isSummary(detail.dropFirst(text.count + 1))
    }
}

extension HookRun {
    /// The number of the attempt, and the most attempts of the run: `attempt 2 of 4`.
    fileprivate var attemptText: String {
        "attempt \(attempt) of \(rule.retries + 1)"
    }
}
