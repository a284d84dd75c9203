/// What the runner tells of a hook run.
public enum HookReport: Sendable, Hashable {
    /// The command was started, or the request is being sent.
    case started(HookRun)
    /// The command has ended, or the request was answered or not. A run that could not be started is finished without
    /// having been started.
    case finished(HookRun, HookResult)
    /// The run failed and is tried again after a pause; the run is the next try.
    case retrying(HookRun, after: Duration)
    /// The run was given up before it started.
    case dropped(HookRun, HookDrop)

    /// The run that is told of.
    public var run: HookRun {
        switch self {
        case .started(let run), .finished(let run, _), .retrying(let run, _), .dropped(let run, _): run
        }
    }
}
