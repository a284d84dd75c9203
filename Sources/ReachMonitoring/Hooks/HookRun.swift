/// One execution of a hook: of a rule that fired, of an armed hook, or of a rule that the user tests.
public struct HookRun: Sendable, Hashable, Identifiable {
    /// The number of the run, counted from one over all targets in the order of requests. Its retries have the same
    /// number.
    public let id: Int
    /// The target of the event.
    public let target: Target.ID
    /// The rule that fired.
    public let rule: HookRule
    /// The armed hook that the rule stands for; nil for a rule of the settings.
    public let armed: ArmedHook?
    /// The event that fired the run, and the state of the target then.
    public let context: HookContext
    /// The number of the attempt, counted from one.
    public private(set) var attempt = 1

    /// Creates the first attempt of a run.
    public init(id: Int, target: Target.ID, rule: HookRule, armed: ArmedHook? = nil, context: HookContext) {
        self.id = id
        self.target = target
        self.rule = rule
        self.armed = armed
        self.context = context
    }

    /// Whether the run is a manual test. A test does not change the state of the rule.
    public var isTest: Bool { context.event == .test }

    /// The next attempt; nil when no retries are left.
    public var retry: HookRun? {
        guard attempt <= rule.retries else { return nil }
        var next = self
        next.attempt += 1
        return next
    }

    /// Whether both are runs of one rule of one target, with any trigger.
    public func hasSameRule(as other: HookRun) -> Bool {
        target == other.target && rule == other.rule && armed == other.armed && isTest == other.isTest
    }

    /// The environment variables of a command, and the values of `${REACH_…}` in a request.
    ///
    /// - Parameter wall: the wall time of the program's start, for `REACH_SINCE`.
    public func environment(wall: WallTime) -> [(name: String, value: String)] {
        context.environment(wall: wall) + [("REACH_ATTEMPT", String(attempt))]
    }
}

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

/// Why a hook that was due did not run. Every drop is shown: a limit may delay a rule, but never disables it.
public enum HookDrop: Sendable, Hashable {
    /// The rule ran recently; its cooldown ends after `left`.
    case coolingDown(left: Duration)
    /// The target recovered later than this after its outage began, or did not become reachable while the armed hook
    /// waited.
    case expired(within: Duration)
    /// The outage was shorter than `min_down` of the rule.
    case tooShort(outage: Duration, minDown: Duration)
    /// The target is acknowledged, and the rule has `unless_acknowledged`.
    case acknowledged
    /// The route to the target is a mobile network.
    case cellular
    /// The target's health or address changed again while the run was queued.
    case obsolete
    /// The same rule of the same target is already queued.
    case alreadyQueued
    /// The program is quitting.
    case quitting
    /// The rule runs once, and another run succeeded while this one waited.
    case alreadySucceeded
    /// The user disarmed the hook.
    case disarmed
    /// The target was removed from the settings, or is probed differently now.
    case targetGone
}
