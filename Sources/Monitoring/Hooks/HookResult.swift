/// The result of a hook run. A command or a request that fails is a result, not an error.
public struct HookResult: Sendable, Hashable {
    /// How the command or the request ended.
    public enum Status: Sendable, Hashable {
        /// The command exited with this status.
        case exited(Int)
        /// This signal terminated the command.
        case signalled(Int)
        /// The run exceeded the rule's timeout and was stopped.
        case timedOut
        /// The run was stopped because the program is quitting.
        case cancelled
        /// The run could not start; the text is the reason.
        case notStarted(String)
        /// The request was answered with this HTTP status.
        case answered(status: Int)
        /// The request failed, for this reason.
        case unanswered(Failure)
    }

    /// How the command or the request ended.
    public let status: Status
    /// How long the run took.
    public let duration: Duration
    /// The end of a command's standard output and standard error, as one text; for a request, the response.
    public let output: String
    /// The number of earlier bytes of output, which are not kept.
    public let droppedBytes: Int
    /// The delay of the server's `Retry-After` header; nil without one.
    public let retryAfter: Duration?

    /// Creates a result.
    public init(
        status: Status,
        duration: Duration,
        output: String = "",
        droppedBytes: Int = 0,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.duration = duration
        self.output = output
        self.droppedBytes = droppedBytes
        self.retryAfter = retryAfter
    }

    /// Whether the command exited with status 0, or the response had a status of 200…299.
    public var isSuccess: Bool {
        switch status {
        case .exited(let code): code == 0
        case .answered(let status): (200...299).contains(status)
        case .signalled, .timedOut, .cancelled, .notStarted, .unanswered: false
        }
    }

    /// Whether a retry may succeed. A server that understood a request and rejected it will reject it again.
    public var isTransient: Bool {
        switch status {
        case .answered(let status): Reason.transientStatuses.contains(status)
        case .unanswered(let failure): failure.reason.isTransient
        case .cancelled: false
        case .exited, .signalled, .timedOut, .notStarted: !isSuccess
        }
    }
}

/// A progress report from the hook runner.
public enum HookReport: Sendable, Hashable {
    /// The command was started, or the request is being sent.
    case started(HookRun)
    /// The command exited, or the request was answered or failed. A run that could not start is finished without a
    /// `started` report.
    case finished(HookRun, HookResult)
    /// The run failed and is retried after a pause; the associated run is the next attempt.
    case retrying(HookRun, after: Duration)
    /// The run was dropped before it started.
    case dropped(HookRun, HookDrop)

    /// The run.
    public var run: HookRun {
        switch self {
        case .started(let run), .finished(let run, _), .retrying(let run, _), .dropped(let run, _): run
        }
    }
}
