public import Monitoring

/// What became of a hook as a JSON object of one line: what `watch --json` writes. Its keys are a contract: additions
/// only.
public struct HookRecord: Sendable, Hashable, Encodable {
    /// What became of it, under the key `status`.
    public enum Status: String, Sendable, Hashable, CaseIterable, Encodable {
        /// The command ended by itself: `exit_code`.
        case exited
        /// A signal ended the command: `signal`.
        case killed
        /// It took longer than the rule allows.
        case timeout
        /// It was ended because the program is quitting.
        case cancelled
        /// The command could not be started: `detail`.
        case notStarted = "not_started"
        /// The request was answered: `http_status`.
        case answered
        /// The request was not answered: `reason`, `detail`.
        case unanswered
        /// It failed and is tried again: `retry_in_seconds`; `attempt` is the next one.
        case retrying
        /// It did not run: `reason`, `detail`.
        case dropped
    }

    let type = RecordType.hook
    let time: String
    let target: String
    let url: String
    let group: String?
    /// What fired it; absent where the rule did not come to that.
    var event: String?
    /// The command as a person would type it, of a hook that runs one.
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
    /// The last of what the command wrote, or what the request was answered; absent when that is nothing.
    var output: String?
    /// How many bytes before that were not kept; absent when all were.
    var outputDroppedBytes: Int?
    /// Which try of the run it is, counted from one.
    var attempt: Int?
    var retryInSeconds: Double?

    enum CodingKeys: String, CodingKey {
        case type, time, target, url, group, event, command, request, status, signal, reason, detail, seconds, output
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
        switch action {
        case .command: command = redaction.text(action.description)
        case .request: request = redaction.text(action.description)
        }
    }

    /// The record of a hook that an event concerned and that was not queued.
    public init(
        skipped rule: HookRule,
        of target: Target,
        because drop: HookDrop,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) {
        self.init(.dropped, of: target, rule.action, at: now, wall: wall, redaction)
        (reason, detail) = (drop.name, drop.summary)
    }

    /// The record of what the runner tells; nil for a start, whose end will be told.
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
            (reason, detail) = (drop.name, drop.summary)
        case .finished(_, let result):
            self.init(Status(result.status), of: target, action, at: now, wall: wall, redaction)
            take(result)
            (detail, output) = (detail.map(redaction.text), output.map(redaction.text))
        }
        event = run.occasion.event.rawValue
        attempt = run.attempt
    }

    private mutating func take(_ result: HookResult) {
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

    /// The object on one line, its keys in alphabetical order. In it, no character stands as it is that a terminal
    /// would obey.
    public var json: String { jsonLine }
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
