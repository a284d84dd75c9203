/// An event of the stored history: a change of a target, or of the program.
///
/// It is one row on disk and one line of an export, so each part is optional and has one meaning for all kinds.
package struct HistoryEvent: Sendable, Hashable {
    /// What happened. The raw values are a contract: the file and exports have them.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The health changed from `from`, which lasted `length`, to `to`, which began at `since`.
        case transition
        /// The user paused the target.
        case paused
        /// The user resumed the target: it has the health from before the pause.
        case resumed
        /// A dependency is down, so the target is neither probed nor judged; `detail` names it.
        case blocked
        /// The dependency is up again.
        case unblocked
        /// The settings contain the target from now on. Targets from the start of the run have no such event.
        case added
        /// The settings no longer contain the target.
        case removed
        /// The user acknowledged the failure; `detail` is the note, `length` its time limit.
        case acknowledged
        /// The acknowledgement ended; `detail` is why.
        case acknowledgementEnded = "acknowledgement_ended"
        /// The name resolves to another address, `detail`.
        case address
        /// A hook ended, after `length`: `reason` is its event, `detail` its action and result.
        case hook
        /// The target began to flap.
        case flapping
        /// The target no longer flaps.
        case flappingEnded = "flapping_ended"
        /// Planned work begins; `detail` is the name of its window.
        case maintenance
        /// The planned work has ended.
        case maintenanceEnded = "maintenance_ended"
        /// Probes cannot be sent; `reason` is the problem.
        case fault
        /// Probes can be sent again.
        case faultCleared = "fault_cleared"
        /// The program did not run for `length`, until `time`.
        case stalled
        /// The wall clock was set by `length`, to `time`.
        case clock
    }

    /// When it happened, since 1970-01-01T00:00:00Z.
    package var time: Duration
    package var kind: Kind
    package var from: Health?
    package var to: Health?
    /// When the new health began, since 1970. An outage begins when its first lost probe is sent. For a hook of the
    /// settings: when it fired.
    package var since: Duration?
    /// A stable name, such as that of a ``Reason``.
    package var reason: String?
    /// A text for people.
    package var detail: String?
    package var length: Duration?
    /// Whether a hook succeeded.
    package var isSuccess: Bool?

    package init(
        _ kind: Kind,
        at time: Duration,
        from: Health? = nil,
        to: Health? = nil,
        since: Duration? = nil,
        reason: String? = nil,
        detail: String? = nil,
        length: Duration? = nil,
        isSuccess: Bool? = nil
    ) {
        self.time = time
        self.kind = kind
        self.from = from
        self.to = to
        self.since = since
        self.reason = reason
        self.detail = detail
        self.length = length
        self.isSuccess = isSuccess
    }
}

/// An event with the target that it is about; nil for the program.
package struct TargetEvent: Sendable, Hashable {
    package var target: Target.ID?
    package var event: HistoryEvent

    package init(_ target: Target.ID?, _ event: HistoryEvent) {
        self.target = target
        self.event = event
    }
}
