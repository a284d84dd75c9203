import ReachBasics
public import ReachMonitoring

/// An event of a target or of the program as a JSON object, one line of `watch --json`. The keys are stable: they are only
/// ever added to.
public struct EventRecord: Sendable, Hashable, Encodable {
    let type: RecordType
    let time: String
    var target: String?
    var url: String?
    var group: String?
    var tags: [String]?
    var from: String?
    var to: String?
    var reason: String?
    var detail: String?
    /// When the new health began: for an outage, when its first lost probe was sent; for its end, when the first reply came.
    var since: String?
    /// How long the previous health lasted.
    var afterSeconds: Double?
    /// The problem of a fault.
    var problem: String?
    /// Commands that fix the fault; any one of them is enough.
    var cures: [String]?
    /// The dependency that is down: the name of a target, or `link`.
    var blockedBy: String?
    /// Whether flapping begins (true) or ends.
    var flapping: Bool?
    /// The share of changes by the formula of Nagios, 0…1.
    var flappingShare: Double?
    /// The state of the session: `ready`, `waiting` or `failed`.
    var session: String?
    /// The present and the previous address of the target's name.
    var address: String?
    var previousAddress: String?
    /// The path to the target that went down, or whose path was traced.
    var path: TracedPathRecord?
    /// The number of the hop at which another router answers.
    var hop: Int?
    /// What happened to a common cause: `named`, `moved`, `joined` or `ended`. What changed in a shift, and how:
    /// `latency_rose`, `loss_back` and others.
    var change: String?
    /// The round-trip level before and after a shift, and the usual one for the hour of the day, in milliseconds.
    var levelBeforeMs: Double?
    var levelMs: Double?
    var usualMs: Double?
    /// The loss rate before and after a shift, 0…1.
    var lossBefore: Double?
    var loss: Double?
    /// The common cause of outages.
    var cause: CauseRecord?
    /// The name of the maintenance window.
    var window: String?
    /// When the maintenance ends.
    var until: String?
    /// Whether probes leave in time.
    var kept: Bool?
    /// The share of late and skipped probes, 0…1.
    var missedShare: Double?
    /// How long the program did not run.
    var seconds: Double?

    enum CodingKeys: String, CodingKey {
        case type, time, target, url, group, tags, from, to, reason, detail, problem, cures, flapping, session, address,
            seconds, window, until, kept, path, hop, change, cause
        case missedShare = "missed_share"
        case levelBeforeMs = "level_before_ms"
        case levelMs = "level_ms"
        case usualMs = "usual_ms"
        case lossBefore = "loss_before"
        case loss
        case since
        case flappingShare = "flapping_share"
        case afterSeconds = "after_seconds"
        case blockedBy = "blocked_by"
        case previousAddress = "previous_address"
    }

    /// The records of an event, one for each target that it concerns; one of a common cause, and none for events without
    /// records.
    ///
    /// - Parameters:
    ///   - roster: the roster of the targets.
    ///   - wall: the wall time of the program's start.
    ///   - redaction: removes secrets.
    public static func records(
        of event: RosterEvent,
        in roster: Roster,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) -> [EventRecord] {
        records(of: event, wall: wall, redaction: redaction) { roster[$0]?.target }
    }

    /// The records of an event, as those of a roster.
    ///
    /// - Parameter target: returns the target with an identity.
    public static func records(
        of event: RosterEvent,
        wall: WallTime,
        redaction: Redaction = Redaction(),
        target: (Target.ID) -> Target?
    ) -> [EventRecord] {
        guard var record = EventRecord(event, wall: wall, redaction: redaction) else { return [] }
        if case .cause(let news) = event.kind {
            let targets = event.targets.compactMap(target).map { redaction.label(of: $0) }
            record.cause = CauseRecord(news.cause, targets: targets, wall: wall, redaction: redaction)
            return [record]
        }
        if case .shift(.common(let shift)) = event.kind {
            let targets = event.targets.compactMap(target).map { redaction.label(of: $0) }
            record.cause = CauseRecord(shift.cause, targets: targets, wall: wall, redaction: redaction)
            return [record]
        }
        return event.targets.isEmpty
            ? [record] : event.targets.map { record.with(target($0), redaction: redaction) }
    }

    /// The record of an event without a target; nil for an event that has none.
    private init?(_ event: RosterEvent, wall: WallTime, redaction: Redaction) {
        time = wall.timestamp(at: event.time)
        switch event.kind {
        case .transition(let transition):
            type = .transition
            (from, to) = (transition.from.rawValue, transition.to.rawValue)
            (reason, detail) = (transition.reason, transition.detail.map(redaction.text))
            since = wall.timestamp(at: transition.began)
            path = transition.path.map(TracedPathRecord.init)
            afterSeconds = transition.lasted.millisecondPrecision
        case .fault(let fault):
            type = .fault
            (problem, detail) = (fault.problem.rawValue, redaction.text(fault.detail))
            cures = fault.cures.nonEmpty
        case .faultCleared:
            type = .faultCleared
        case .blocked(let blocker):
            type = .blocked
            blockedBy = redaction.label(blocker.name)
        case .unblocked:
            type = .unblocked
        case .flapping(let isFlapping, let share):
            type = .flapping
            (flapping, flappingShare) = (isFlapping, share.thousandths)
        case .maintenance(let name, let end):
            type = .maintenance
            (window, until) = (name.map(redaction.text), wall.timestamp(at: end))
        case .maintenanceEnded:
            type = .maintenanceEnded
        case .scheduleMissed(let share):
            type = .schedule
            (kept, missedShare) = (false, share.thousandths)
        case .scheduleKept:
            type = .schedule
            kept = true
        case .stalled(let gap):
            type = .stalled
            seconds = gap.millisecondPrecision
        case .addressChanged(let old, let new):
            type = .address
            (address, previousAddress) = (redaction.text(new), redaction.text(old))
        case .path(let news):
            type = .path
            (reason, detail) = (news.name, redaction.text(news.summary))
            switch news {
            case .ended(let traced): path = TracedPathRecord(traced)
            case .changed(let change): (hop, address, previousAddress) = (change.hop, change.after, change.before)
            }
        case .cause(let news):
            type = .cause
            change = news.name
        case .shift(let news):
            type = .shift
            (change, detail) = (news.change.rawValue, redaction.text(news.summary))
            since = wall.timestamp(at: news.began)
            afterSeconds = news.ends?.millisecondPrecision
            switch news {
            case .level(let shift):
                (levelBeforeMs, levelMs) = (shift.before.inMilliseconds, shift.after.inMilliseconds)
                (usualMs, hop) = (shift.usual?.inMilliseconds, shift.hop)
            case .loss(let shift):
                (lossBefore, loss) = (shift.before.thousandths, shift.after.thousandths)
            case .common:
                break
            }
        case .session(let state):
            type = .session
            session = state.name
            if case .failed(let outcome) = state { (reason, problem, detail) = outcome.names }
            detail = detail.map(redaction.text)
        case .paused, .resumed, .hookSkipped, .armed, .disarmed, .hooksMissing, .acknowledged, .acknowledgementEnded:
            return nil
        }
    }

    private func with(_ target: Target?, redaction: Redaction) -> EventRecord {
        guard let target else { return self }
        var record = self
        (record.target, record.url) = (redaction.label(of: target), redaction.url(of: target))
        (record.group, record.tags) = (redaction.group(of: target), target.tags.nonEmpty)
        return record
    }
}

/// The value of the key `type` in objects of `watch --json`. The names are stable.
public enum RecordType: String, Sendable, Hashable, CaseIterable, Encodable {
    /// The health of a target changed.
    case transition
    /// A probe ended; only with `--observations`.
    case observation
    /// A report about a hook.
    case hook
    /// A target cannot be probed.
    case fault
    /// The target can be probed again.
    case faultCleared = "fault_cleared"
    /// A target is not probed because a dependency is down.
    case blocked
    /// The target is probed again.
    case unblocked
    /// A target begins or stops flapping.
    case flapping
    /// A session is ready, waits or has failed.
    case session
    /// The address of a target's name changed.
    case address
    /// The path to a target changed, or was traced while the target is down.
    case path
    /// The usual round trips or losses of a target changed, or those of several targets at once.
    case shift
    /// Outages have a common cause, or it is over.
    case cause
    /// Planned work at a target begins.
    case maintenance
    /// The planned work has ended.
    case maintenanceEnded = "maintenance_ended"
    /// Probes are late or skipped, or leave in time again.
    case schedule
    /// The program did not run for a while.
    case stalled
}

/// The path to a target as a JSON object. The keys are stable: they are only ever added to.
struct TracedPathRecord: Sendable, Hashable, Encodable {
    /// Where the path ends: `reached`, `silent`, `unreachable` and others.
    let end: String
    let detail: String
    /// The number and the address of the hop where it ends; absent if no hop answers.
    let hop: Int?
    let address: String?
    /// The addresses of the hops; null for one that does not answer.
    let hops: [String?]
    /// The hops when the path last reached the target; absent if it never did.
    let before: [String?]?

    init(_ path: TracedPath) {
        (end, detail) = (path.end.kind, path.end.summary)
        (hop, address) = (path.end.hop, path.end.address)
        hops = path.hops
        before = path.before.nonEmpty
    }
}

extension SessionState {
    /// The stable name of the state of a session.
    var name: String {
        switch self {
        case .setup: "setup"
        case .preparing: "preparing"
        case .waiting: "waiting"
        case .ready: "ready"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension Outcome {
    /// The stable names of the cause of a failure, and the detail in words.
    fileprivate var names: (reason: String?, problem: String?, detail: String) {
        switch self {
        case .reply: (nil, nil, detail)
        case .timeout: ("timeout", nil, detail)
        case .failure(let failure): (failure.reason.rawValue, nil, detail)
        case .fault(let fault): (nil, fault.problem.rawValue, detail)
        }
    }
}

/// An event as a line of text for `watch`: the time in UTC, the target, and the event.
///
/// ```
/// 2026-11-20T14:02:19.114Z  NAS  down after 3 losses: refused (was up 3h02m)
/// ```
public struct EventLine: Sendable, Hashable {
    /// The line without its line end. It contains no control characters, whatever a peer sent.
    public let text: String

    /// The line of a transition.
    public init(_ transition: Transition, of name: String, wall: WallTime, redaction: Redaction = Redaction()) {
        let before = transition.before.map { " (\($0))" } ?? ""
        self.init(at: transition.time, name, redaction.text(transition.summary + before), wall: wall)
    }

    /// A line about a target.
    ///
    /// - Parameters:
    ///   - time: the time of the event, since the start of the program.
    ///   - name: the name of the target.
    ///   - words: the event.
    ///   - wall: the wall time of the program's start.
    public init(at time: Duration, _ name: String, _ words: String, wall: WallTime) {
        text = "\(wall.timestamp(at: time))  \(name.printable)  \(words.printable)"
    }
}

extension String {
    /// The text with U+FFFD in place of control and bidirectional control characters, so that it stays one line and cannot
    /// control a terminal.
    public var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControlling ? "\u{FFFD}" : $0 }))
    }

    /// The text as ``printable``, with its lines.
    public var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }
}
