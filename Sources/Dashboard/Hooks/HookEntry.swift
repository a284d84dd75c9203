import Monitoring

/// A line of the hook runs: what was to run, why, and what became of it.
struct HookEntry: Sendable, Hashable, Identifiable {
    /// How far it has come.
    enum State: Sendable, Hashable {
        /// It waits for its turn.
        case waiting
        /// It runs, as the attempt of this number.
        case running(attempt: Int)
        /// It failed, and is tried again, as the attempt of this number.
        case retrying(attempt: Int)
        /// It ran, or could not be started.
        case finished(HookResult, attempt: Int)
        /// It did not run, or not again.
        case dropped(HookDrop)
    }

    /// Its number in the list, counted from one.
    let id: Int
    /// The run, unless it was given up before there was one.
    let run: HookRun.ID?
    /// Whose hook it is; the settings may have lost it since.
    let target: Target.ID
    let name: String
    /// When it was asked for, since the start of the program.
    let time: Duration
    /// What asked for it, in words.
    let cause: String
    /// What was to run.
    let action: String
    var state: State

    /// What it wrote, or was answered.
    var output: String {
        if case .finished(let result, _) = state { result.output } else { "" }
    }
}

extension HookEntry.State {
    /// What became of it, as a word or two.
    var word: String {
        switch self {
        case .waiting: "waits"
        case .running(let attempt): attempt == 1 ? "runs" : "runs, attempt \(attempt)"
        case .retrying(let attempt): "failed, attempt \(attempt) follows"
        case .finished(let result, _): result.word
        case .dropped(let drop): "dropped: \(drop.summary)"
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
    /// How it ended, as a word or two.
    fileprivate var word: String {
        switch status {
        case .exited(let code): "exited \(code)"
        case .signalled(let signal): "killed by signal \(signal)"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .notStarted(let why): "did not start: \(why)"
        case .answered(let status): "HTTP \(status)"
        case .unanswered(let why): "not answered: \(why)"
        }
    }
}
