/// What the runner tells of a hook run.
public enum HookReport: Sendable, Hashable {
    /// The command was started.
    case started(HookRun)
    /// The command has ended.
    case finished(HookRun, HookResult)
    /// The run was given up before it started.
    case dropped(HookRun, HookDrop)

    /// The run that is told of.
    public var run: HookRun {
        switch self {
        case .started(let run), .finished(let run, _), .dropped(let run, _): run
        }
    }
}
