public import ReachMonitoring
import ReachBasics

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
            seconds, window, until, kept
        case missedShare = "missed_share"
        case since
        case flappingShare = "flapping_share"
        case afterSeconds = "after_seconds"
        case blockedBy = "blocked_by"
        case previousAddress = "previous_address"
    }

    /// The records of an event, one for each target that it concerns; empty for events without records.
    ///
    /// - Parameters:
    ///   - roster: the roster of the targets.
    ///   - now: the time of events that carry none.
    ///   - wall: the wall time of the program's start.
    ///   - redaction: removes secrets.
    public static func records(
        of event: RosterEvent,
        in roster: Roster,
        at now: Duration,
        wall: WallTime,
        redaction: Redaction = Redaction()
    ) -> [EventRecord] {
        let record = { (type: RecordType, time: Duration, id: Target.ID?) -> EventRecord in
            let target = id.flatMap { roster[$0]?.target }
            return EventRecord(
                type: type,
                time: wall.timestamp(at: time),
                target: target.map(redaction.label),
                url: target.map(redaction.url),
                group: target.flatMap(redaction.group),
                tags: target?.tags.nonEmpty
            )
        }
        switch event {
        case .transition(let id, let transition):
            var one = record(.transition, transition.time, id)
            (one.from, one.to) = (transition.from.rawValue, transition.to.rawValue)
            (one.reason, one.detail) = (transition.reason, transition.detail.map(redaction.text))
            one.since = wall.timestamp(at: transition.began)
            one.afterSeconds = transition.lasted.millisecondPrecision
            return [one]
        case .fault(let id, let fault):
            var one = record(.fault, now, id)
            (one.problem, one.detail) = (fault.problem.rawValue, redaction.text(fault.detail))
            one.cures = fault.cures.isEmpty ? nil : fault.cures
            return [one]
        case .faultCleared(let id):
            return [record(.faultCleared, now, id)]
        case .blocked(let ids, let blocker, let time):
            return ids.map { id in
                var one = record(.blocked, time, id)
                one.blockedBy = redaction.label(blocker.name)
                return one
            }
        case .unblocked(let ids, let time):
            return ids.map { record(.unblocked, time, $0) }
        case .flapping(let id, let isFlapping, let share, let time):
            var one = record(.flapping, time, id)
            one.flapping = isFlapping
            one.flappingShare = share.thousandths
            return [one]
        case .maintenance(let ids, let name, let end, let time):
            return ids.map { id in
                var one = record(.maintenance, time, id)
                (one.window, one.until) = (name.map(redaction.text), wall.timestamp(at: end))
                return one
            }
        case .maintenanceEnded(let ids, let time):
            return ids.map { record(.maintenanceEnded, time, $0) }
        case .scheduleMissed(let share, let time):
            var one = record(.schedule, time, nil)
            (one.kept, one.missedShare) = (false, share.thousandths)
            return [one]
        case .scheduleKept(let time):
            var one = record(.schedule, time, nil)
            one.kept = true
            return [one]
        case .stalled(let gap, let time):
            var one = record(.stalled, time, nil)
            one.seconds = gap.millisecondPrecision
            return [one]
        case .addressChanged(let id, let old, let new):
            var one = record(.address, now, id)
            (one.address, one.previousAddress) = (redaction.text(new), redaction.text(old))
            return [one]
        case .session(let id, let state, let time):
            var one = record(.session, time, id)
            one.session = state.name
            if case .failed(let cause) = state { (one.reason, one.problem, one.detail) = cause.names }
            one.detail = one.detail.map(redaction.text)
            return [one]
        case .paused, .resumed, .hookSkipped, .armed, .disarmed, .hooksMissing, .acknowledged, .acknowledgementEnded:
            return []
        }
    }

    /// The object on one line, with sorted keys. Characters that a terminal would execute are escaped.
    public var json: String { jsonLine }
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
    /// Planned work at a target begins.
    case maintenance
    /// The planned work has ended.
    case maintenanceEnded = "maintenance_ended"
    /// Probes are late or skipped, or leave in time again.
    case schedule
    /// The program did not run for a while.
    case stalled
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

extension SessionState.Cause {
    /// The stable names of the cause of the failure, and the detail in words.
    var names: (reason: String?, problem: String?, detail: String) {
        switch self {
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
