public import ReachMonitoring

/// A report about a hook as a JSON object, one line of `watch --json`. The keys are stable: they are only ever added to.
public struct HookRecord: Sendable, Hashable, Encodable {
    /// The value of the key `status`.
    public enum Status: String, Sendable, Hashable, CaseIterable, Encodable {
        /// The command exited: `exit_code`.
        case exited
        /// A signal ended the command: `signal`.
        case killed
        /// The hook exceeded its timeout.
        case timeout
        /// The hook was stopped because the program quits.
        case cancelled
        /// The command could not be started: `detail`.
        case notStarted = "not_started"
        /// The request was answered: `http_status`.
        case answered
        /// The request was not answered: `reason`, `detail`.
        case unanswered
        /// It failed and will be retried: `retry_in_seconds`; `attempt` is the next one.
        case retrying
        /// It did not run: `reason`, `detail`.
        case dropped
    }

    let type = RecordType.hook
    let time: String
    let target: String
    let url: String
    let group: String?
    let tags: [String]?
    /// The event that triggered it; absent for a skipped rule.
    var event: String?
    /// The command as typed in a shell, of a hook that runs one.
    var command: String?
    /// The request's first line, of a hook that sends one.
    var request: String?
    let status: Status
    var exitCode: Int?
    var signal: Int?
    var httpStatus: Int?
    var reason: String?
    var detail: String?
    /// How long the run took.
    var seconds: Double?
    /// The end of the command's output, or the response to the request; absent if empty.
    var output: String?
    /// How many bytes of earlier output were dropped; absent if none.
    var outputDroppedBytes: Int?
    /// The number of the attempt, counted from one.
    var attempt: Int?
    var retryInSeconds: Double?

    enum CodingKeys: String, CodingKey {
        case type, time, target, url, group, tags, event, command, request, status, signal, reason, detail, seconds,
            output
        case attempt
        case exitCode = "exit_code"
        case httpStatus = "http_status"
        case outputDroppedBytes = "output_dropped_bytes"
        case retryInSeconds = "retry_in_seconds"
    }

    private init(
        _ status: Status,
        of target: Target,
        _ action: HookAction,
        at time: Duration,
        wall: WallTime,
        _ redaction: Redaction
    ) {
        self.status = status
        self.time = wall.timestamp(at: time)
        self.target = redaction.label(of: target)
        url = redaction.url(of: target)
        group = redaction.group(of: target)
        tags = target.tags.nonEmpty
        switch action {
        case .command: command = redaction.text(action.description)
        case .request: request = redaction.text(action.description)
        }
    }

    /// The records of a skipped hook rule; empty for other events.
    public static func records(
        ofSkip event: RosterEvent,
        in roster: Roster,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) -> [HookRecord] {
        guard case .hookSkipped(let rule, let drop) = event.kind else { return [] }
        return event.targets.compactMap { roster[$0]?.target }.map { target in
            var record = HookRecord(.dropped, of: target, rule.action, at: event.time, wall: wall, redaction)
            (record.reason, record.detail) = (HookDropReason(drop).rawValue, drop.summary)
            return record
        }
    }

    /// The record of a report of the runner; nil for a start, since its end will be reported.
    public init?(
        _ report: HookReport,
        of target: Target,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) {
        let run = report.run
        let action = run.rule.action
        switch report {
        case .started:
            return nil
        case .retrying(_, let pause):
            self.init(.retrying, of: target, action, at: now, wall: wall, redaction)
            retryInSeconds = pause.millisecondPrecision
        case .dropped(_, let drop):
            self.init(.dropped, of: target, action, at: now, wall: wall, redaction)
            (reason, detail) = (HookDropReason(drop).rawValue, drop.summary)
        case .finished(_, let result):
            self.init(Status(result.status), of: target, action, at: now, wall: wall, redaction)
            apply(result)
            (detail, output) = (detail.map(redaction.text), output.map(redaction.text))
        }
        event = run.context.event.rawValue
        attempt = run.attempt
    }

    private mutating func apply(_ result: HookResult) {
        switch result.status {
        case .exited(let code): exitCode = code
        case .signalled(let number): signal = number
        case .answered(let code): httpStatus = code
        case .notStarted(let why): detail = why
        case .unanswered(let failure): (reason, detail) = (failure.reason.rawValue, failure.detail)
        case .timedOut, .cancelled: break
        }
        seconds = result.duration.millisecondPrecision
        output = result.output.isEmpty ? nil : result.output
        outputDroppedBytes = result.droppedBytes == 0 ? nil : result.droppedBytes
    }
}

extension HookRecord.Status {
    fileprivate init(_ status: HookResult.Status) {
        self =
            switch status {
            case .exited: .exited
            case .signalled: .killed
            case .timedOut: .timeout
            case .cancelled: .cancelled
            case .notStarted: .notStarted
            case .answered: .answered
            case .unanswered: .unanswered
            }
    }
}

/// The reasons why a hook did not run, by their stable names.
enum HookDropReason: String, Sendable, CaseIterable {
    case coolingDown = "cooling_down"
    case expired
    case tooShort = "too_short"
    case acknowledged
    case cellular
    case obsolete
    case alreadyQueued = "already_queued"
    case quitting
    case alreadySucceeded = "already_succeeded"
    case disarmed
    case targetGone = "target_gone"

    init(_ drop: HookDrop) {
        self =
            switch drop {
            case .coolingDown: .coolingDown
            case .expired: .expired
            case .tooShort: .tooShort
            case .acknowledged: .acknowledged
            case .cellular: .cellular
            case .obsolete: .obsolete
            case .alreadyQueued: .alreadyQueued
            case .quitting: .quitting
            case .alreadySucceeded: .alreadySucceeded
            case .disarmed: .disarmed
            case .targetGone: .targetGone
            }
    }
}
