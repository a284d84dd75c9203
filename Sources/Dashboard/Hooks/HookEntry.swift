import Monitoring

/// An entry of the hook runs: the action, its cause and its state.
struct HookEntry: Sendable, Hashable, Identifiable {
    /// The state of a hook run.
    enum State: Sendable, Hashable {
        /// Waiting in the queue.
        case waiting
        /// Running, as the attempt of this number.
        case running(attempt: Int)
        /// Failed and to be retried, as the attempt of this number.
        case retrying(attempt: Int)
        /// Finished, or could not be started.
        case finished(HookResult, attempt: Int)
        /// Dropped before it ran, or before it was retried.
        case dropped(HookDrop)
    }

    /// The number in the list, counted from one.
    let id: Int
    /// The run; nil if the hook was dropped before a run was requested.
    let run: HookRun.ID?
    /// The target of the hook; a reload may have removed it since.
    let target: Target.ID
    let name: String
    /// When the run was requested, since the start of the program.
    let time: Duration
    /// The trigger, in words.
    let cause: String
    /// The command or request, as text.
    let action: String
    var progress: Progress<State>

    /// The present state.
    var state: State { progress.newest }

    /// The command's output, or the body of the response.
    var output: String {
        if case .finished(let result, _) = state { result.output } else { "" }
    }

    /// The entry at a past time; nil before the run was requested.
    func rewound(to time: Duration) -> HookEntry? {
        guard let progress = progress.until(time) else { return nil }
        var past = self
        past.progress = progress
        return past
    }
}

extension HookEntry.State {
    /// Creates the state after a report.
    init(_ report: HookReport) {
        self =
            switch report {
            case .started(let run): .running(attempt: run.attempt)
            case .retrying(let run, _): .retrying(attempt: run.attempt)
            case .finished(let run, let result): .finished(result, attempt: run.attempt)
            case .dropped(_, let drop): .dropped(drop)
            }
    }

    /// The state in a few words.
    var statusText: String {
        switch self {
        case .waiting: "waiting"
        case .running(let attempt): attempt == 1 ? "running" : "running, attempt \(attempt)"
        case .retrying(let attempt): "failed, attempt \(attempt) is next"
        case .finished(let result, _): result.statusText
        case .dropped(let drop): "dropped: \(drop.summary)"
        }
    }

    /// The mark of a run: a flag until it ends, and then the one of a problem if it failed.
    func mark(_ glyphs: Glyphs) -> Character {
        switch self {
        case .waiting, .running: glyphs.hook
        case .retrying: glyphs.fault
        case .finished(let result, _): result.isSuccess ? " " : glyphs.fault
        case .dropped: " "
        }
    }

    var role: Role {
        switch self {
        case .waiting: .waiting
        case .running: .accent
        case .retrying: .degraded
        case .finished(let result, _): result.isSuccess ? .up : .down
        case .dropped: .waiting
        }
    }
}

extension HookResult {
    /// The result in a few words: `ok`, `failed, status 1`.
    var statusText: String {
        switch status {
        case _ where isSuccess: "ok"
        case .exited(let code): "failed, status \(code)"
        case .signalled(let signal): "failed, killed by signal \(signal)"
        case .timedOut: "failed, timed out"
        case .cancelled: "cancelled"
        case .notStarted(let why): "did not start: \(why)"
        case .answered(let status): "failed, HTTP \(status)"
        case .unanswered(let why): "failed, not answered: \(why)"
        }
    }
}
