import ReachMonitoring

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
        /// Finished in another process, which has recorded it in the history.
        case recorded(isSuccess: Bool, summary: String, duration: Duration?)
    }

    /// The number in the list, counted from one; negative for a run in another process.
    let id: Int
    /// The run; nil if the hook was dropped before a run was requested, and for a run in another process.
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

    /// How long the run took; nil until it has ended.
    var duration: Duration? {
        switch state {
        case .finished(let result, _): result.duration
        case .recorded(_, _, let duration): duration
        case .waiting, .running, .retrying, .dropped: nil
        }
    }

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

extension HookEntry {
    /// Creates the entry of a run in another process; nil if its target no longer exists.
    ///
    /// - Parameter number: Its number among those of other processes, the oldest first.
    init?(_ stored: TargetEvent, number: Int, in roster: Roster, wall: WallTime) {
        let event = stored.event
        guard let target = stored.target, let state = roster[target], let detail = event.detail else { return nil }
        let actions = state.target.hooks.map(\.action.description)
        let action = actions.first { HookAction.isAction($0, of: detail) }
        let summary = action.map { String(detail.dropFirst($0.count + 1)) } ?? detail
        let time = (event.since ?? event.time) - wall.start
        self.init(
            // Those of this process are positive.
            id: .min + number,
            run: nil,
            target: target,
            name: state.target.label,
            time: time,
            cause: event.since == nil ? "armed" : event.reason ?? "",
            action: action ?? detail,
            progress: Progress(
                .recorded(isSuccess: event.isSuccess == true, summary: summary, duration: event.length),
                at: event.time - wall.start
            )
        )
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
        case .recorded(let isSuccess, _, _): isSuccess ? "ok" : "failed"
        }
    }

    /// The mark of a run: a flag until it ends, and then the one of a problem if it failed.
    func mark(_ glyphs: Glyphs) -> Character {
        switch self {
        case .waiting, .running: glyphs.hook
        case .retrying: glyphs.fault
        case .finished(let result, _): result.isSuccess ? " " : glyphs.fault
        case .recorded(let isSuccess, _, _): isSuccess ? " " : glyphs.fault
        case .dropped: " "
        }
    }

    var role: Role {
        switch self {
        case .waiting: .waiting
        case .running: .accent
        case .retrying: .degraded
        case .finished(let result, _): result.isSuccess ? .up : .down
        case .recorded(let isSuccess, _, _): isSuccess ? .up : .down
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

/// The states of a hook run, each since a time, oldest first.
struct Progress<State: Sendable & Hashable>: Sendable, Hashable {
    private struct Step: Sendable, Hashable {
        let time: Duration
        var state: State
    }

    private var steps: [Step]

    /// Creates the progress of a run that begins in a state.
    init(_ state: State, at time: Duration) {
        steps = [Step(time: time, state: state)]
    }

    /// The newest state. Changing it keeps its time.
    var newest: State {
        get { steps[steps.count - 1].state }
        set { steps[steps.count - 1].state = newValue }
    }

    /// Enters another state.
    mutating func enter(_ state: State, at time: Duration) {
        steps.append(Step(time: time, state: state))
    }

    /// The progress until a time; nil if it began later.
    func until(_ time: Duration) -> Progress? {
        var past = self
        past.steps.removeAll { $0.time > time }
        return past.steps.isEmpty ? nil : past
    }
}
